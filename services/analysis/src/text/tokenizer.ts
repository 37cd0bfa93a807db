/** The kind of a token, before its part of speech is known. */
type TokenKind =
  "word" | "number" | "punctuation" | "symbol" | "url" | "email" | "mention" | "hashtag" | "emoji" | "emoticon";

/** A piece of the text; `start` and `end` are UTF-16 offsets into it, `end` exclusive. */
export interface RawToken {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly kind: TokenKind;
  /** Whether white space separates the token from the one before it. */
  readonly spaced: boolean;
  /** Whether a line break separates the token from the one before it. */
  readonly newLine: boolean;
}

/**
 * Splits a text like the English Universal Dependencies treebanks (hyphens and clitics apart) and keeps post-specific
 * tokens in one piece: addresses, @handles, #hashtags, emoji and emoticons. Linear in the text.
 */
export function tokenize(text: string): RawToken[] {
  const tokens: RawToken[] = [];
  const matcher = new RegExp(PATTERN, "guy");
  let spaced = false;
  let newLine = false;
  for (let match = matcher.exec(text); match; match = matcher.exec(text)) {
    const groups: readonly (string | undefined)[] = match;
    const index = groups.findIndex((group, at) => at > 0 && group !== undefined);
    const piece = match[0];
    if (index === SPACE_GROUP) {
      spaced = true;
      newLine ||= /[\n\r\u2028\u2029]/.test(piece);
      continue;
    }
    const at = { text: piece, start: match.index, spaced, newLine };
    const kind = KINDS[index] ?? "symbol";
    for (const token of kind === "word" ? splitWord(at) : [whole(at, kind)]) tokens.push(token);
    spaced = false;
    newLine = false;
  }
  return tokens;
}

interface Piece {
  text: string;
  start: number;
  spaced: boolean;
  newLine: boolean;
}

const TOP_DOMAINS = "com|org|net|edu|gov|info|biz|io|co|tv|ly|me|uk|us|ca|au|de|fr|gl|gd|be|am";
const ABBREVIATIONS =
  "Mr|Mrs|Ms|Dr|Prof|Rev|Gen|Sen|Rep|Gov|Lt|Col|Sgt|Capt|Maj|Hon|Pres|St|Jr|Sr|Ft|Mt|Ave|Blvd|Inc|Ltd|Corp|Co|Bros|vs|etc|" +
  "Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec|No|Dept|Est|approx|Fig|Vol";

/** In order of precedence; every group but the first names a kind in `KINDS`. */
const GROUPS: readonly (readonly [source: string, kind: TokenKind | "space"])[] = [
  [String.raw`\s+`, "space"],
  [String.raw`(?:https?:\/\/|www\.)[^\s<>"“”]*[^\s<>"“”.,;:!?)\]}'’*…]`, "url"],
  [String.raw`[\w.+\-]{1,64}@[A-Za-z0-9\-]{1,63}(?:\.[A-Za-z0-9\-]{1,63}){1,4}`, "email"],
  [
    String.raw`(?<![\w@.])[A-Za-z0-9][\w\-]{0,62}(?:\.[A-Za-z0-9\-]{1,62}){0,3}\.(?:${TOP_DOMAINS})(?![\w\-@])(?:\/[^\s<>"“”]*[^\s<>"“”.,;:!?)\]}'’*…]|\/)?`,
    "url",
  ],
  [String.raw`[@＠]\w{1,50}`, "mention"],
  [String.raw`[#＃](?=[\p{L}\p{N}_]*\p{L})[\p{L}\p{M}\p{N}_]+`, "hashtag"],
  [String.raw`&(?:amp|lt|gt|quot|nbsp|apos|#\d{2,5});`, "symbol"],
  [
    String.raw`(?:\p{RI}\p{RI}|[#*0-9]\uFE0F?\u20E3|\p{Extended_Pictographic}(?:\uFE0F|\p{EMod})?(?:\u200D\p{Extended_Pictographic}(?:\uFE0F|\p{EMod})?)*|\uFE0F|\u200D)`,
    "emoji",
  ],
  [
    String.raw`(?:[:;=][\-o'^]?[)(\[\]DPpOo3\/\\|*$]+(?![A-Za-z0-9])|<3+|[:;]['’]\(|\^_+\^|\bx[dD]\b|\bXD+\b)`,
    "emoticon",
  ],
  [String.raw`[\w\-]{1,64}\.(?:pdf|html?|docx?|xlsx?|txt|zip|jpe?g|png|exe|js)(?![\p{L}\p{N}])|[eE]-\p{L}+`, "word"],
  [String.raw`(?:\p{L}\.){2,}(?![\p{L}])`, "word"],
  [String.raw`(?:${ABBREVIATIONS})\.(?=\s|,|$)`, "word"],
  [String.raw`\p{Lu}\.(?=\s?\p{Lu})`, "word"],
  [String.raw`\p{Lu}{1,3}&(?:amp;)?\p{Lu}{1,3}(?![\p{L}])`, "word"],
  [
    String.raw`\d+(?:[.,:]\d+)*(?:(?:st|nd|rd|th|s)(?![\p{L}\p{N}])|(?![\p{L}\p{N}_])|(?=(?:am|pm|AM|PM|m|bn|k|km|kg|lb|lbs|hrs|mins|mm|cm|ft|mph)(?![\p{L}\p{N}_])))`,
    "number",
  ],
  [String.raw`[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*(?:['’\u2019][\p{L}][\p{L}\p{M}]*)*`, "word"],
  [String.raw`(?<=[\p{L}\p{N}_])['’](?:s|re|ve|ll|d|m|S|RE|VE|LL|D|M)(?![\p{L}\p{N}])`, "word"],
  [String.raw`[.]{2,}|-{2,}|!{2,}|\?{2,}|[!?]{2,}|\*{2,}|={2,}|_{2,}|~{2,}|\p{P}`, "punctuation"],
  [String.raw`\p{S}|[^]`, "symbol"],
];
const SPACE_GROUP = 1;
const KINDS: readonly (TokenKind | undefined)[] = [
  undefined,
  ...GROUPS.map(([, kind]) => (kind === "space" ? undefined : kind)),
];
const PATTERN = GROUPS.map(([source]) => `(${source})`).join("|");

const NEGATION = /^(.+)(n['’]t)$/i;
const CLITIC = /^(.+)(['’](?:s|re|ve|ll|d|m))$/i;
function whole(piece: Piece, kind: TokenKind): RawToken {
  return { ...piece, end: piece.start + piece.text.length, kind };
}

/** Maximum number of clitics per word; more are noise that would only take time. */
const CLITICS_MAX = 3;

/** `don't` → `do` `n't`, `Apple's` → `Apple` `'s`, `cannot` → `can` `not`. */
function splitWord(piece: Piece): RawToken[] {
  const cuts: number[] = [];
  let rest = piece.text;
  for (let cut = cutOf(rest); cut > 0 && cuts.length < CLITICS_MAX; cut = cutOf(rest)) {
    cuts.unshift(cut);
    rest = rest.slice(0, cut);
  }
  const tokens = [whole({ ...piece, text: rest }, "word")];
  cuts.forEach((cut, index) => {
    const text = piece.text.slice(cut, cuts[index + 1]);
    tokens.push(whole({ text, start: piece.start + cut, spaced: false, newLine: false }, "word"));
  });
  return tokens;
}

/** Offset of the last clitic of a word, 0 if it has none. */
function cutOf(word: string): number {
  if (word.length === 6 && word.toLowerCase() === "cannot") return 3;
  if (!/['’]/.test(word)) return 0;
  const clitic = NEGATION.exec(word) ?? CLITIC.exec(word);
  return clitic?.[1]?.length ?? 0;
}

/** Scripts that write words without spaces between them. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]/u;

let segmenter: Intl.Segmenter | undefined;

/** Cuts the words of scripts that are written without spaces (Chinese, Japanese, Thai …) where ICU's dictionaries do. */
export const cutUnspaced = (tokens: RawToken[]): RawToken[] =>
  tokens.some(isUnspaced) ? tokens.flatMap((token) => (isUnspaced(token) ? cut(token) : [token])) : tokens;

const isUnspaced = ({ kind, text }: RawToken): boolean => kind === "word" && UNSPACED.test(text);

const cut = (token: RawToken): RawToken[] => {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  return Array.from(segmenter.segment(token.text), ({ segment, index }) => {
    const start = token.start + index;
    const place = { text: segment, start, end: start + segment.length, kind: token.kind };
    return index === 0 ? { ...token, ...place } : { ...place, spaced: false, newLine: false };
  });
};
