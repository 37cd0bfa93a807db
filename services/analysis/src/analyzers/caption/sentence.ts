import type { Group, Ingredients, Placement } from "./ingredients.js";
import { counted, countedPeople, EXACT_MAX, listed, withArticle } from "./nouns.js";
import type { People, PersonKind } from "./people.js";

/** The ingredients as words, such as "two people with a dog on a bench"; undefined when there are none. */
export const sentenceOf = ({ people, activity, groups, placement, words }: Ingredients): string | undefined => {
  const placed = placement && placedWords(placement, groups, people);
  const rest = groups.filter(({ label }) => !placement || (label !== placement.of && label !== placement.what));
  const subject = people ? peopleWords(people, activity) : undefined;
  const things = rest.map(
    ({ label, count }) => counted(label, count) + (label === "kite" && people ? " in the air" : ""),
  );
  const said =
    subject === undefined ? thingsWords(placed, things) : withThings({ subject, placement, placed, things, rest });
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
  const said = placement?.what === "people" ? `${subject} ${placement.where} ${counted(placement.of, 1)}` : subject;
  const others = [...(placed && placement?.what !== "people" ? [placed] : []), ...things];
  if (others.length === 0) return said;
  const apart = rest.some(({ label }) => APART.has(label));
  if (SEPARATE.test(said) || (apart && placement)) return `${said}, and ${listed(others)}`;
  return apart ? listed([said, ...others]) : `${said} with ${listed(others)}`;
};

/** "a cat on a couch"; of people only the place is told, elsewhere. */
const placedWords = (
  { what, where, of }: Placement,
  groups: readonly Group[],
  people: People | undefined,
): string | undefined => {
  if (what === "people") return people ? counted(of, 1) : undefined;
  const count = groups.find(({ label }) => label === what)?.count ?? 1;
  return `${counted(what, count)} ${where} ${counted(of, 1)}`;
};

/** "a smiling woman", "a man and a woman", "three people, at least one of them riding a horse". */
const peopleWords = ({ count, kinds, smiling }: People, activity: string | undefined): string => {
  const who = count <= EXACT_MAX ? kindsWords(kinds, count, smiling) : countedPeople("person", count);
  if (activity === undefined) return who;
  const doing = DOING[activity] ?? activity;
  return count === 1 ? `${who} ${doing}` : `${who}, at least one of them ${doing}`;
};

const kindsWords = (kinds: readonly PersonKind[], count: number, smiling: boolean): string => {
  const adjective = smiling ? "smiling " : "";
  const [men, women] = [kinds.filter((kind) => kind === "man").length, kinds.filter((kind) => kind === "woman").length];
  const known = men + women === count;
  if (known && men > 0 && women > 0) {
    return listed([countedPeople(`${adjective}man`, men), countedPeople(`${adjective}woman`, women)]);
  }
  const noun = known ? (men > 0 ? "man" : "woman") : "person";
  return count === 1 ? withArticle(`${adjective}${noun}`) : countedPeople(`${adjective}${noun}`, count);
};

/** How an activity is said of someone, where its name will not do. */
const DOING: Readonly<Record<string, string>> = {
  "stretching arms out": "with outstretched arms",
  "raising a hand": "with a raised hand",
  "raising both arms": "with both arms raised",
};

/** After what someone does, or has raised, "with" would tell with what. */
const SEPARATE = / with |(rid|play|us|talk|read|eat|drink|brush|ski|surf|board)ing/;

/** What one is not with, but stands in the same picture. */
const APART: ReadonlySet<string> = new Set([
  "car",
  "bus",
  "truck",
  "train",
  "airplane",
  "boat",
  "traffic light",
  "fire hydrant",
  "stop sign",
  "parking meter",
  "clock",
]);
