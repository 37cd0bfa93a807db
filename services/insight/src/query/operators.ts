import { type Place, startsOperand, symbolOf, type Token } from "./lexer.js";

/** Something that other tools read otherwise, and two ways to write it. */
export interface Note extends Place {
  readonly message: string;
  /** As it was probably meant. */
  readonly meant: Edit;
  /** As it is read. */
  readonly literal: Edit;
}

/** What stands at a place instead. Nothing: the spaces before or behind it go, too. A `-`: those behind it do. */
export interface Edit extends Place {
  readonly text: string;
}

type Operator = "and" | "or" | "not";

const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ["AND", "and"],
  ["OR", "or"],
  ["NOT", "not"],
  ["&&", "and"],
  ["&", "and"],
  ["||", "or"],
  ["|", "or"],
]);

/** As it is to be written. */
const WRITTEN: Readonly<Record<Operator, string>> = { and: "", or: "OR", not: "-" };

const ADVICE: Readonly<Record<Operator, string>> = {
  and: "Words stand together without it.",
  or: "OR stands between two alternatives.",
  not: "A - directly before a word excludes it.",
};

/**
 * Finds the operators that are written in letters or doubled signs. AND, OR and NOT in capitals between two operands are
 * operators, elsewhere words, as `and`, `or` and `not` always are. Notes say what other tools would read otherwise.
 */
export function readOperators(tokens: readonly Token[]): { tokens: Token[]; notes: Note[] } {
  const read = [...tokens];
  const notes: Note[] = [];
  for (let index = 0; index < tokens.length;) {
    const length = runLength(tokens, index);
    if (length === 0) {
      const note = noteOn(tokens, index);
      if (note !== undefined) notes.push(note);
      index += 1;
      continue;
    }
    const around = { before: endsOperand(tokens[index - 1]), behind: isOperand(tokens[index + length]) };
    const run = readRun(tokens.slice(index, index + length), around);
    read.splice(index, length, ...run.tokens);
    notes.push(...run.notes);
    index += length;
  }
  const quoted = quotesOfOthers(tokens);
  const outside = notes.filter(({ position }) => !quoted.some((each) => covers(each, position)));
  return { tokens: read, notes: [...outside, ...quoted].sort((one, other) => one.position - other.position) };
}

function covers({ position: start, end }: Place, position: number): boolean {
  return position >= start && position < end;
}

/** How many tokens from there on are operators or words like them. */
function runLength(tokens: readonly Token[], start: number): number {
  let end = start;
  while (tokens[end] !== undefined && operatorOf(tokens[end]) !== undefined) end += 1;
  return end - start;
}

function operatorOf(token: Token | undefined): { operator: Operator; isWritten: boolean } | undefined {
  if (token?.kind !== "word") return undefined;
  const text = token.text.normalize("NFKC");
  const written = OPERATORS.get(text);
  if (written !== undefined) return { operator: written, isWritten: true };
  const meant = OPERATORS.get(text.toUpperCase());
  return meant === undefined ? undefined : { operator: meant, isWritten: false };
}

function endsOperand(token: Token | undefined): boolean {
  return token?.kind === "word" || token?.kind === "phrase" || token?.kind === "close";
}

function isOperand(token: Token | undefined): boolean {
  return token !== undefined && startsOperand(token);
}

/** Operators that follow each other: the first one counts, and a NOT behind it. */
function readRun(
  run: readonly Token[],
  { before, behind }: { before: boolean; behind: boolean },
): { tokens: Token[]; notes: Note[] } {
  const tokens: Token[] = [];
  const notes: Note[] = [];
  // Alone in its term, it is the word.
  if (!before && !behind) return { tokens: [...run], notes };
  let isLinked = false;
  let isNegated = false;
  for (const token of run) {
    const { operator, isWritten } = operatorOf(token) ?? { operator: "and", isWritten: false };
    const isNot = operator === "not";
    const isUnderstood = isWritten && before && behind && !isNegated && (isNot || !isLinked);
    tokens.push(isUnderstood ? { ...token, kind: operator } : token);
    const isNeeded = before && behind && !isNegated && (isNot || !isLinked);
    const isExclusion = isNot && behind && !isNegated;
    if (!(isUnderstood && token.text.normalize("NFKC") === "OR")) {
      const text = isNeeded || isExclusion ? WRITTEN[operator] : "";
      const how = isUnderstood ? understoodAs(operator) : "is read as a word.";
      // Lower-case words at an end of a term are words everywhere.
      if (isWritten || (before && behind)) {
        notes.push(noteAt(token, `${token.text} ${how} ${ADVICE[operator]}`, text));
      }
    }
    isLinked ||= operator !== "not";
    isNegated ||= isNot;
  }
  return { tokens, notes };
}

function understoodAs(operator: Operator): string {
  return operator === "and" ? "is understood." : `is read as ${WRITTEN[operator]}.`;
}

function noteAt(token: Token, message: string, text: string, literal = `"${token.text}"`): Note {
  const { position, end } = token;
  return { position, end, message, meant: { position, end, text }, literal: { position, end, text: literal } };
}

const PROXIMITY =
  /^(?:(?:O?NEAR|WITHIN|ADJ)(?:[/:~]?\d{1,3}f?)?|(?:o?near|within|adj|w|pre)[/:~]\d{1,3}f?|(?:W|PRE)\/\d{1,3})$/u;
/** A distance or weight behind a phrase, and behind a word. */
const WEIGHT = /^[~^][\d.]*$/u;
const WEIGHTED = /^(.*[\p{L}\p{M}\p{N}*])[~^][\d.]*$/u;
const EXCLAIMED = /^!+(?=[\p{L}\p{N}#@])/u;
const DOUBLED = /(?<=[^&|])(?:&&|\|{1,2})(?=[^&|])/gu;
const FIELDS =
  "lang language site inurl intitle title author from to since until before after filter country place url domain subreddit flair is has source hashtag type";
const FIELD = new RegExp(`^-?(?:${FIELDS.replaceAll(" ", "|")}):.*$`, "iu");
const INNER_STAR = /^(?=.*[\p{L}\p{N}])(?:\*+.*|.*[\p{L}\p{N}]\*+[\p{L}\p{N}].*)$/u;
const SEMICOLON = /^(.*[\p{L}\p{M}\p{N}*])[;\u061B]$/u;

/** What other tools would read otherwise in a word. */
function noteOn(tokens: readonly Token[], index: number): Note | undefined {
  const token = tokens[index];
  if (token?.kind !== "word") return undefined;
  const text = token.text.normalize("NFKC");
  const [before, behind] = [tokens[index - 1], tokens[index + 1]];
  const read = `${token.text} is read as words.`;
  if (PROXIMITY.test(text) && (endsOperand(before) || isOperand(behind))) {
    return noteAt(token, `${read} A distance between words cannot be searched; quotes keep words together.`, "");
  }
  if (WEIGHT.test(text) && before?.kind === "phrase" && before.end === token.position) {
    return noteAt(token, `${read} A distance or weight cannot be given.`, "", "");
  }
  const [, weighted] = WEIGHTED.exec(text) ?? [];
  if (weighted !== undefined) return noteAt(token, `${read} Similar words and weights cannot be searched.`, weighted);
  if (EXCLAIMED.test(text)) {
    return noteAt(
      token,
      `The ! before ${token.text.slice(1)} is not read. ${ADVICE.not}`,
      text.replace(EXCLAIMED, "-"),
    );
  }
  if (text.search(DOUBLED) >= 0) {
    const meant = text.replaceAll(DOUBLED, (sign) => (sign.startsWith("|") ? " OR " : " "));
    return noteAt(
      token,
      `${token.text} is read as a phrase. ${ADVICE.or} Words that must all occur have spaces between them.`,
      meant,
    );
  }
  if (FIELD.test(text)) {
    return noteAt(token, `${read} Give what is not text, such as a language or a time, as a filter.`, "");
  }
  if (INNER_STAR.test(text)) {
    return noteAt(token, `${read} A * counts only at the end of a word.`, withStarAtEnd(text));
  }
  const [, listed] = SEMICOLON.exec(text) ?? [];
  if (listed !== undefined && isOperand(behind)) {
    return noteAt(token, `The ; behind ${listed} is not read. A comma separates terms.`, `${listed},`);
  }
  return undefined;
}

/** `*phone` as `phone`, `tele*phone` as `tele*`, if enough letters are left for it. */
function withStarAtEnd(text: string): string {
  const start = text.replace(/^\*+/u, "");
  const at = start.search(/\*+[\p{L}\p{N}]/u);
  if (at < 0) return start;
  return at < 3 ? start.slice(0, at) : `${start.slice(0, at)}*`;
}

/** Signs that quote in some language, but may be apostrophes or titles, with those that close them. */
const QUOTES: ReadonlyMap<string, string> = new Map([
  ["'", "'’´"],
  ["‘", "’'"],
  ["‚", "‘’'"],
  ["‛", "’"],
  ["`", "`´'"],
  ["´", "´"],
  ["‹", "›"],
  ["›", "‹›"],
  ["〈", "〉"],
  ["《", "》"],
  ["❝", "❞"],
  ["❛", "❜"],
  ["′", "′"],
  ["״", "״"],
  ["＇", "＇"],
]);

/** Words between quotes that are not read as such. */
function quotesOfOthers(tokens: readonly Token[]): Note[] {
  const notes: Note[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const first = tokens[index];
    if (first?.kind !== "word") continue;
    const closing = QUOTES.get(first.text.charAt(0));
    if (closing === undefined) continue;
    let end = index;
    while (tokens[end]?.kind === "word" && !closesWith(tokens[end], closing, end === index)) end += 1;
    const last = tokens[end];
    if (last?.kind !== "word") continue;
    notes.push(quoteNote(tokens.slice(index, end + 1)));
    index = end;
  }
  return notes;
}

function closesWith(token: Token | undefined, closing: string, isFirst: boolean): boolean {
  const text = token?.text ?? "";
  return (!isFirst || text.length > 2) && closing.includes(text.slice(-1));
}

function quoteNote(words: readonly Token[]): Note {
  const written = words.map(({ text }) => text).join(" ");
  const [position, end] = [words[0]?.position ?? 1, words.at(-1)?.end ?? 1];
  const inner = written.slice(1, -1);
  const edit = { position, end, text: `"${inner.trim()}"` };
  const message = `${written} is read as single words. Quotes such as "${inner.trim()}" keep words together.`;
  return { position, end, message, meant: edit, literal: { position, end, text: inner } };
}

/** The characters with all edits, and with parentheses around the groups. */
export function corrected(characters: readonly string[], edits: readonly Edit[], groups: readonly Place[]): string {
  const opening = groups.map(({ position }) => ({ position, end: position, text: "(" }));
  const closing = groups.map(({ end }) => ({ position: end, end, text: ")" }));
  const all = [...closing, ...opening, ...edits.map((edit) => withSpaces(characters, edit))];
  // From the end on, so that places before it stay what they are.
  const fixed = [...characters];
  for (const { position, end, text } of all.sort((one, other) => other.position - one.position)) {
    fixed.splice(position - 1, end - position, text);
  }
  return fixed.join("").trim();
}

function withSpaces(characters: readonly string[], edit: Edit): Edit {
  if (edit.text !== "" && edit.text !== "-") return edit;
  const isSpace = (index: number): boolean => symbolOf(characters[index] ?? "") === "space";
  let { position, end } = edit;
  while (isSpace(end - 1)) end += 1;
  const next = symbolOf(characters[end - 1] ?? "");
  const isLast = end > characters.length || next === "separator" || next === "close";
  while (edit.text === "" && isLast && isSpace(position - 2)) position -= 1;
  return { position, end, text: edit.text };
}
