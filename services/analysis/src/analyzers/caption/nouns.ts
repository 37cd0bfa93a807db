/** Larger numbers are not written out: the count is not that reliable. */
export const EXACT_MAX = 6;

/** The number of objects of a kind; approximate unless `exact`. */
export interface Amount {
  count: number;
  exact: boolean;
}

/** "a cup", "two cups", "several cups"; "cups" when there are probably not many more than two. */
export const counted = (label: string, amount: Amount): string => {
  const noun = NAMES[label] ?? label;
  if (UNCOUNTABLE.has(noun)) return noun;
  const many = howMany(amount);
  if (PAIRS.has(noun)) return amount.count === 1 ? `a pair of ${noun}` : `${many}pairs of ${noun}`;
  return amount.count === 1 ? withArticle(noun) : many + plural(noun);
};

/**
 * "a person", "three people", "a group of people". Large groups are not numbered because some people are always missed.
 */
export const countedPeople = (noun: string, amount: Amount): string => {
  if (amount.count <= EXACT_MAX) return amount.count === 1 ? withArticle(noun) : howMany(amount) + plural(noun);
  return amount.count < CROWD_MIN ? "a group of people" : "a crowd of people";
};

/** "a", "an" or "two". */
export const withArticle = (words: string): string => `${/^[aeiou]/.test(words) ? "an" : "a"} ${words}`;

/** "a", "a and b", "a, b and c". */
export const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)!}`;

/** The words before a plural, with a trailing space; empty if the number is uncertain. */
const howMany = ({ count, exact }: Amount): string => {
  const number = exact ? NUMBERS[count] : undefined;
  if (number !== undefined) return `${number} `;
  return count >= SEVERAL_MIN ? "several " : "";
};

const plural = (noun: string): string => {
  const irregular = IRREGULAR[noun];
  if (irregular !== undefined) return irregular;
  if (noun.endsWith("person")) return noun.replace(/person$/, "people");
  if (noun.endsWith("man")) return noun.replace(/man$/, "men");
  return /(s|sh|ch|x)$/.test(noun) ? `${noun}es` : `${noun}s`;
};

/** Everyday names for detector labels that people would not use. */
const NAMES: Readonly<Record<string, string>> = {
  tv: "screen",
  "dining table": "table",
  "sports ball": "ball",
  "cell phone": "phone",
  mouse: "computer mouse",
  remote: "remote control",
  airplane: "aeroplane",
  "hair drier": "hair dryer",
  donut: "doughnut",
};

const IRREGULAR: Readonly<Record<string, string>> = {
  sheep: "sheep",
  knife: "knives",
  child: "children",
  skis: "skis",
  scissors: "scissors",
  "computer mouse": "computer mice",
};

const SEVERAL_MIN = 3;
const CROWD_MIN = 20;
const UNCOUNTABLE: ReadonlySet<string> = new Set(["broccoli"]);
const PAIRS: ReadonlySet<string> = new Set(["skis", "scissors"]);
const NUMBERS = ["no", "one", "two", "three", "four", "five", "six"];
