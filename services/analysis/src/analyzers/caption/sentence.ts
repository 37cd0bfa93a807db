import type { Ingredients, Placement } from "./ingredients.js";
import type { People } from "./people.js";
import type { Amount, Group } from "./things.js";

/** The ingredients as words, for example "two people with a dog on a bench"; undefined if there are none. */
export const sentenceOf = ({
  people,
  activity,
  groups,
  inScene,
  placement,
  words,
}: Ingredients): string | undefined => {
  const placed = placement && placedWords(placement, groups, people);
  const rest = groups.filter(({ label }) => !placement || (label !== placement.of && label !== placement.what));
  const subject = people ? peopleWords(people, activity) : undefined;
  const things = rest.map(
    (group) => counted(group.label, group) + (group.label === "kite" && people ? " in the air" : ""),
  );
  const said =
    subject === undefined
      ? thingsWords(placed, things)
      : inScene && things.length > 0 && placement === undefined
        ? listed([things[0]!, subject, ...things.slice(1)])
        : withThings({ subject, placement, placed, things, rest });
  if (said === undefined) return words === undefined ? undefined : `the words "${words}"`;
  return words === undefined ? said : `${said}, and the words "${words}"`;
};

const thingsWords = (placed: string | undefined, things: readonly string[]): string | undefined => {
  const parts = [...(placed ? [placed] : []), ...things];
  return parts.length > 0 ? listed(parts) : undefined;
};

interface Parts {
  subject: string;
  placement: Placement | undefined;
  placed: string | undefined;
  things: readonly string[];
  rest: readonly Group[];
}

const withThings = ({ subject, placement, placed, things, rest }: Parts): string => {
  const said = placement?.what === "people" ? `${subject} ${placement.where} ${counted(placement.of, ONE)}` : subject;
  const others = [...(placed && placement?.what !== "people" ? [placed] : []), ...things];
  if (others.length === 0) return said;
  const apart = rest.some(({ label }) => APART.has(label));
  if (SEPARATE.test(said) || (apart && placement)) return `${said}, and ${listed(others)}`;
  return apart ? listed([said, ...others]) : `${said} with ${listed(others)}`;
};

/** "a cat on a couch". For people only the place is given here; the rest of the sentence names them. */
const placedWords = (
  { what, where, of }: Placement,
  groups: readonly Group[],
  people: People | undefined,
): string | undefined => {
  if (what === "people") return people ? counted(of, ONE) : undefined;
  return `${counted(what, groups.find(({ label }) => label === what) ?? ONE)} ${where} ${counted(of, ONE)}`;
};

const ONE = { count: 1, exact: true } as const;

/** "a smiling woman", "a man and a woman", "three people, at least one of them riding a horse". */
const peopleWords = (people: People, activity: string | undefined): string => {
  const who = people.count <= EXACT_MAX ? kindsWords(people) : countedPeople("person", people);
  if (activity === undefined) return who;
  const doing = DOING[activity] ?? activity;
  return people.count === 1 ? `${who} ${doing}` : `${who}, at least one of them ${doing}`;
};

const kindsWords = ({ kinds, count, exact, smiling }: People): string => {
  const adjective = smiling ? "smiling " : "";
  const [men, women] = [kinds.filter((kind) => kind === "man").length, kinds.filter((kind) => kind === "woman").length];
  const known = men + women === count;
  if (known && men > 0 && women > 0) {
    return listed([
      countedPeople(`${adjective}man`, { count: men, exact }),
      countedPeople(`${adjective}woman`, { count: women, exact }),
    ]);
  }
  const noun = known ? (men > 0 ? "man" : "woman") : "person";
  return countedPeople(adjective + noun, { count, exact });
};

/** Phrases for activities whose names do not fit into a sentence. */
const DOING: Readonly<Record<string, string>> = {
  "stretching arms out": "with outstretched arms",
  "raising a hand": "with a raised hand",
  "raising both arms": "with both arms raised",
  "using a phone": "holding a phone",
};

/** After these activities, "with" would be read as naming an instrument. */
const SEPARATE = / with |(rid|play|us|hold|talk|read|eat|drink|brush|ski|surf|board)ing/;

/** Objects that are in the same picture but that one is not "with". */
const APART: ReadonlySet<string> = new Set([
  "car",
  "bus",
  "truck",
  "vehicle",
  "train",
  "airplane",
  "boat",
  "traffic light",
  "fire hydrant",
  "stop sign",
  "parking meter",
  "clock",
  "building",
  "castle",
  "church",
  "mosque",
  "palace",
  "monastery",
  "lighthouse",
  "tower",
  "bridge",
  "viaduct",
  "fountain",
  "triumphal arch",
  "landscape",
  "mountain",
  "volcano",
  "valley",
  "coast",
  "lake",
  "water",
  "pier",
  "pyramid",
  "windmill",
  "planet",
  "solar panel",
  "restaurant",
  "shop",
  "library",
  "stage",
  "aircraft",
  "ship",
  "tram",
]);

/** Larger numbers are not written out: the count is not that reliable. */
const EXACT_MAX = 6;

/** "a cup", "two cups", "several cups"; "cups" when there are probably not many more than two. */
const counted = (label: string, amount: Amount): string => {
  const noun = NAMES[label] ?? label;
  if (UNCOUNTABLE.has(noun)) return noun;
  const many = howMany(amount);
  if (PAIRS.has(noun)) return amount.count === 1 ? `a pair of ${noun}` : `${many}pairs of ${noun}`;
  return amount.count === 1 ? withArticle(noun) : many + plural(noun);
};

/**
 * "a person", "three people", "a group of people". Large groups are not numbered because some people are always missed.
 */
const countedPeople = (noun: string, amount: Amount): string => {
  if (amount.count <= EXACT_MAX) return amount.count === 1 ? withArticle(noun) : howMany(amount) + plural(noun);
  return amount.count < CROWD_MIN ? "a group of people" : "a crowd of people";
};

/** "a", "an" or "two". */
const withArticle = (words: string): string => `${/^[aeiou]/.test(words) ? "an" : "a"} ${words}`;

/** "a", "a and b", "a, b and c". */
const listed = (parts: readonly string[]): string =>
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
  leaf: "leaves",
  child: "children",
  skis: "skis",
  scissors: "scissors",
  fish: "fish",
  "coral fish": "coral fish",
  goldfish: "goldfish",
  bison: "bison",
  goose: "geese",
  wolf: "wolves",
  butterfly: "butterflies",
  dragonfly: "dragonflies",
  fly: "flies",
  ladybird: "ladybirds",
  library: "libraries",
  "computer mouse": "computer mice",
};

const SEVERAL_MIN = 3;
const CROWD_MIN = 20;
const UNCOUNTABLE: ReadonlySet<string> = new Set([
  "broccoli",
  "food",
  "water",
  "coral",
  "wine",
  "bread",
  "pasta",
  "corn",
  "soup",
  "ice cream",
  "mashed potato",
  "meat loaf",
  "guacamole",
  "dough",
  "toilet paper",
  "footwear",
]);
const PAIRS: ReadonlySet<string> = new Set(["skis", "scissors", "binoculars", "sunglasses", "jeans", "scales"]);
const NUMBERS = ["no", "one", "two", "three", "four", "five", "six"];
