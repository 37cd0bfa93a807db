import { normalize } from "./normalize.js";

/** A word or mark as the classifiers read it. */
export interface Word {
  /** Lower-case, elongation shortened; URLs, handles and digits replaced by placeholders. */
  readonly form: string;
  /** `word` pieces contain letters and are split into character n-grams; `mark` pieces count as a whole. */
  readonly kind: "word" | "mark";
  /** Whether it is in the scope of a negation to its left. */
  readonly negated: boolean;
  /** All capitals, at least two letters. */
  readonly capitals: boolean;
  /** Whether it had a letter three or more times in a row. */
  readonly elongated: boolean;
}

export const URL_FORM = "<url>";
export const PERSON_FORM = "<person>";
export const EMAIL_FORM = "<email>";

/** Each alternative takes at least one character and is bounded or a plain run, so scanning stays linear. */
const PIECE = new RegExp(
  [
    String.raw`(?<url>https?:\/\/\S+|www\.\S+|(?<![\w.@-])[\w-]{2,40}\.(?:com|net|org|info|biz|ly|co|io|me|tv|uk|ru)\b(?:\/\S*)?)`,
    String.raw`(?<email>(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,32}){1,4})`,
    String.raw`(?<person>@\w{1,50}|\[(?:name|religion)\])`,
    String.raw`(?<face>[:;=][-o*'^]{0,2}[)\](\[dp3o\/\\|@*}{]{1,4}(?![a-z])|[(\[][-o*'^]?[:;=](?![a-z])|<\/?3+|\bxd+\b|\^[_.-]{0,3}\^|-_{1,4}-)`,
    String.raw`(?<emoji>\p{RI}\p{RI}|\p{Extended_Pictographic}(?:\u200d\p{Extended_Pictographic})*)`,
    String.raw`(?<number>\p{N}+(?:[.,:]\p{N}+)*(?![\p{L}\p{M}]))`,
    String.raw`(?<word>[\p{L}\p{M}\p{N}_]+(?:'\p{L}+)*|'(?:s|re|m|ll|ve|d)\b)`,
    String.raw`(?<mark>[!?]+|\.{2,}|\S)`,
  ].join("|"),
  "giu",
);

const SUFFIX = /^(.+?)(n't|'(?:s|re|m|ll|ve|d))$/;
const REPEATED = /(.)\1{2,}/gu;
const CAPITALS = /^(?=.*\p{Lu}.*\p{Lu})[^\p{Ll}]+$/u;

const NEGATIONS = new Set(
  (
    "n't not no never none nobody nothing nowhere neither nor cannot without hardly barely scarcely rarely seldom " +
    "cant dont wont isnt arent wasnt werent doesnt didnt havent hasnt hadnt couldnt wouldnt shouldnt aint nope nah"
  ).split(" "),
);
const CLAUSE_ENDS = new Set([
  ".",
  ",",
  ";",
  ":",
  "!",
  "!!",
  "?",
  "??",
  "?!",
  "...",
  "(",
  ")",
  "but",
  "however",
  "though",
]);

/** Number of pieces after a negation that count as negated. */
const NEGATION_REACH = 5;

/** Splits a text into words and marks. Linear in the length of the text. */
export const words = (text: string): Word[] => {
  const found: Word[] = [];
  let reach = 0;
  const add = (form: string, kind: Word["kind"], shape: Shape): void => {
    if (CLAUSE_ENDS.has(form)) reach = 0;
    found.push({ form, kind, negated: reach > 0, ...shape });
    if (reach > 0) reach--;
    if (NEGATIONS.has(form)) reach = NEGATION_REACH;
  };
  for (const match of normalize(text).matchAll(PIECE)) addPiece(match, add);
  return found;
};

type Shape = Pick<Word, "capitals" | "elongated">;
type Add = (form: string, kind: Word["kind"], shape: Shape) => void;

const addPiece = (match: RegExpExecArray, add: Add): void => {
  const [piece] = match;
  const groups = match.groups ?? {};
  const shape = { capitals: false, elongated: false };
  if (groups.word !== undefined) return addWord(piece, add);
  if (groups.mark !== undefined) return add(squeezeMark(piece), "mark", shape);
  if (groups.url !== undefined) return add(URL_FORM, "mark", shape);
  if (groups.person !== undefined) return add(PERSON_FORM, "mark", shape);
  if (groups.email !== undefined) return add(EMAIL_FORM, "mark", shape);
  if (groups.number !== undefined) return add(piece.replace(/\p{N}/gu, "0").slice(0, 12), "mark", shape);
  add(piece.toLowerCase(), "mark", shape);
};

const addWord = (piece: string, add: Add): void => {
  const lower = piece.toLowerCase();
  const squeezed = lower.replace(REPEATED, "$1$1");
  const capitals = CAPITALS.test(piece);
  const elongated = squeezed.length < lower.length;
  const parts = squeezed.includes("'") ? SUFFIX.exec(squeezed) : null;
  if (parts === null) return add(squeezed, "word", { capitals, elongated });
  const [, stem = squeezed, suffix = ""] = parts;
  add(stem, "word", { capitals, elongated });
  add(suffix, "word", { capitals: false, elongated: false });
};

/** Two marks mean "more than one": `!!!!` and `!!` are equal, `?!` keeps its combination. */
const squeezeMark = (mark: string): string => {
  if (mark.length < 2) return mark;
  if (mark.startsWith("..")) return "...";
  if (mark.includes("!") && mark.includes("?")) return "?!";
  return mark.slice(0, 2);
};
