/** What many of a kind are called; more exact numbers would claim more than was counted. */
export const EXACT_MAX = 6;

/** "a cup", "two cups", "several cups". */
export const counted = (label: string, count: number): string => {
  const noun = NAMES[label] ?? label;
  if (UNCOUNTABLE.has(noun)) return noun;
  if (PAIRS.has(noun)) return count === 1 ? `a pair of ${noun}` : `${howMany(count)} pairs of ${noun}`;
  return count === 1 ? withArticle(noun) : `${howMany(count)} ${plural(noun)}`;
};

/** "a person", "three people", "a group of about ten people". */
export const countedPeople = (noun: string, count: number): string => {
  if (count <= EXACT_MAX) return count === 1 ? withArticle(noun) : `${howMany(count)} ${plural(noun)}`;
  const rough = ROUGHLY.find(({ upTo }) => count <= upTo);
  return rough ? `a group of about ${rough.word} people` : "a crowd of people";
};

/** "a", "an" or "two". */
export const withArticle = (words: string): string => `${/^[aeiou]/.test(words) ? "an" : "a"} ${words}`;

/** "a", "a and b", "a, b and c". */
export const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)!}`;

export const howMany = (count: number): string => NUMBERS[count] ?? "several";

export const plural = (noun: string): string => {
  const irregular = IRREGULAR[noun];
  if (irregular !== undefined) return irregular;
  if (noun.endsWith("person")) return noun.replace(/person$/, "people");
  if (noun.endsWith("man")) return noun.replace(/man$/, "men");
  return /(s|sh|ch|x)$/.test(noun) ? `${noun}es` : `${noun}s`;
};

/** Names of the detector's labels that people would not use. */
const NAMES: Readonly<Record<string, string>> = {
  tv: "television",
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

const UNCOUNTABLE: ReadonlySet<string> = new Set(["broccoli"]);
const PAIRS: ReadonlySet<string> = new Set(["skis", "scissors"]);
const NUMBERS = ["no", "one", "two", "three", "four", "five", "six"];
const ROUGHLY = [
  { upTo: 12, word: "ten" },
  { upTo: 17, word: "fifteen" },
  { upTo: 25, word: "twenty" },
];
