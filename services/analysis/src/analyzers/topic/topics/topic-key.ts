/** Spellings of one topic share a key: `Apple`, `apple's`, `the Apple` and `APPLE`; `World Cup` and `#WorldCup`. */
export function keyOf(value: string): string {
  return wordsOf(value).join("");
}

/** A key that chunks in singular and plural share: `a new phone`, `two new phones`. */
export function chunkKeyOf(value: string): string {
  const words = wordsOf(value);
  while (words.length > 1 && NUMBERS.has(words[0] ?? "")) words.shift();
  const head = words.pop();
  return head === undefined ? "" : [...words, singularOf(head)].join("");
}

const NUMBERS = new Set("one two three four five six seven eight nine ten".split(" "));

function wordsOf(value: string): string[] {
  return value
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/^(?:the|a|an) (?=.)/, "")
    .replace(/'s?$/, "")
    .replace(/(\p{L})\1{2,}/gu, "$1$1")
    .replace(/[^\p{L}\p{M}\p{N}+]+/gu, " ")
    .trim()
    .split(" ")
    .filter((word, at, words) => word !== words[at - 1]);
}

const IRREGULAR = new Map(
  "men man women woman children child feet foot teeth tooth mice mouse lives life wives wife knives knife leaves leaf kids kid movies movie cookies cookie"
    .split(" ")
    .flatMap((word, at, words) => (at % 2 === 0 ? [[word, words[at + 1] ?? word] as const] : [])),
);

/** English plurals only; words that merely look like plurals (`news`, `bus`, `tennis`) are unchanged. */
function singularOf(word: string): string {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  if (word.length < 4 || !word.endsWith("s") || /(?:ss|us|is|news|series|species)$/.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return /(?:s|x|z|ch|sh)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}
