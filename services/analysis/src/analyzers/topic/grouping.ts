import type { Occurrence } from "./annotation.js";

/** A topic with all its occurrences in the text. */
export interface TopicGroup {
  readonly type: Occurrence["type"];
  readonly occurrences: Occurrence[];
}

/** Groups the spellings of one topic; a chunk spelled like an entity is one of its occurrences. */
export function groupTopics(entities: readonly Occurrence[], chunks: readonly Occurrence[]): TopicGroup[] {
  const groups = new Map<string, TopicGroup>();
  for (const entity of entities) add(groups, keyOf(entity.value), entity);
  mergePartialNames(groups);
  const names = namesByEnd(groups);
  const people = namesByStart(groups);
  mergePartialProducts(groups, names);
  for (const chunk of chunks) {
    const key = keyOf(chunk.value);
    const name = groups.get(key) ?? (chunk.tag === "PROPN" ? (names.get(key) ?? people.get(key)) : undefined);
    if (name) addTo(name, chunk);
    else add(groups, `chunk ${chunkKeyOf(chunk.value)}`, chunk);
  }
  groups.delete("");
  groups.delete("chunk ");
  return [...new Set(groups.values())];
}

/** `Galaxy S23` is `Samsung Galaxy S23` if only one name of the text ends like this. */
function namesByEnd(groups: ReadonlyMap<string, TopicGroup>): ReadonlyMap<string, TopicGroup | undefined> {
  const ends = new Map<string, TopicGroup | undefined>();
  for (const group of new Set(groups.values())) {
    const words = group.occurrences[0]?.value.split(" ") ?? [];
    for (let from = 1; from < words.length; from++) {
      const key = keyOf(words.slice(from).join(" "));
      ends.set(key, ends.has(key) ? undefined : group);
    }
  }
  return ends;
}

/** `#Trayvon` is `Trayvon Martin` if only one person of the text has that first name. */
function namesByStart(groups: ReadonlyMap<string, TopicGroup>): ReadonlyMap<string, TopicGroup | undefined> {
  const starts = new Map<string, TopicGroup | undefined>();
  for (const group of new Set(groups.values())) {
    const [name] = group.occurrences;
    const words = name?.tag === "PERSON" ? name.value.split(" ") : [];
    if (words.length < 2) continue;
    const key = keyOf(words[0] ?? "");
    starts.set(key, starts.has(key) ? undefined : group);
  }
  return starts;
}

function add(groups: Map<string, TopicGroup>, key: string, occurrence: Occurrence): void {
  const group = groups.get(key);
  if (group) group.occurrences.push(occurrence);
  else groups.set(key, { type: occurrence.type, occurrences: [occurrence] });
}

/** A place in the text counts once, however it was found. */
function addTo(group: TopicGroup, occurrence: Occurrence): void {
  const last = group.occurrences.at(-1);
  if (last && occurrence.first <= last.last && last.first <= occurrence.last) return;
  if (!group.occurrences.some(({ first }) => first === occurrence.first)) group.occurrences.push(occurrence);
}

/** `Merkel` is `Angela Merkel` if only one person of the text has that name. */
function mergePartialNames(groups: Map<string, TopicGroup>): void {
  const bearers = new Map<string, TopicGroup | undefined>();
  for (const group of groups.values()) {
    const words = group.occurrences[0]?.tag === "PERSON" ? group.occurrences[0].value.split(" ") : [];
    if (words.length < 2) continue;
    for (const key of new Set([keyOf(words[0] ?? ""), keyOf(words.at(-1) ?? "")])) {
      bearers.set(key, bearers.has(key) ? undefined : group);
    }
  }
  for (const [key, group] of groups) {
    const bearer = bearers.get(key);
    if (!bearer || bearer === group || group.occurrences[0]?.tag !== "PERSON") continue;
    bearer.occurrences.push(...group.occurrences);
    groups.set(key, bearer);
  }
}

/** `Galaxy S23` found as a separate product; not so places and organizations: `York` is not `New York`. */
function mergePartialProducts(
  groups: Map<string, TopicGroup>,
  names: ReadonlyMap<string, TopicGroup | undefined>,
): void {
  for (const [key, group] of groups) {
    const whole = names.get(key);
    if (whole?.occurrences[0]?.tag !== "PRODUCT" || group.occurrences[0]?.tag !== "PRODUCT") continue;
    whole.occurrences.push(...group.occurrences);
    groups.set(key, whole);
  }
}

/**
 * The spelling of a topic in results: the longest one of a name, otherwise the most frequent; all capitals only if
 * there is no other.
 */
export function bestSpelling({ type, occurrences }: TopicGroup): string {
  const counts = new Map<string, number>();
  for (const { value } of occurrences) counts.set(value, (counts.get(value) ?? 0) + 1);
  const rate = (value: string): number => {
    const loud = value.length > 5 && value === value.toUpperCase() ? -2_000 : 0;
    const named = type === "entity" && !/\p{Lu}/u.test(value) ? -1_000 : 0;
    const full = type === "entity" ? value.split(" ").length * 100 : 0;
    return loud + named + full + (counts.get(value) ?? 0);
  };
  return [...counts.keys()].reduce((best, value) => (rate(value) > rate(best) ? value : best));
}

/** The tag of most occurrences of a topic's own kind, the earliest on a tie. */
export function bestTag({ type, occurrences }: TopicGroup): string {
  const counts = new Map<string, number>();
  for (const { tag, type: own } of occurrences) if (own === type) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0];
}

/** Spellings of one topic share a key: `Apple`, `apple's`, `the Apple` and `APPLE`; `World Cup` and `#WorldCup`. */
function keyOf(value: string): string {
  return wordsOf(value).join("");
}

/** A key that chunks in singular and plural share: `a new phone`, `two new phones`. */
function chunkKeyOf(value: string): string {
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
