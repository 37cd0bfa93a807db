import type { Frame } from "../types.js";
import { type KindWord, kindWords, namesOf } from "./kind-words.js";
import { type Kinds, kindsOf, loadKindNetwork } from "./kinds.js";
import { ANIMAL_LABELS, detectObjects, loadObjectNetwork, type ObjectLabel, type ObjectSighting } from "./objects.js";

/** What a frame shows. */
export interface Findings {
  /** The detector's objects that the picture as a whole does not contradict, the likeliest first. */
  objects: readonly BelievedObject[];
  /** What the picture shows as a whole; absent if that is not certain enough. */
  kind?: NamedKind;
}

/** An object that is believed to be there. */
export interface BelievedObject extends ObjectSighting {
  /** Whether the picture as a whole speaks for its name, too. */
  agreed: boolean;
}

/** A name for what a picture shows as a whole. */
export interface NamedKind {
  name: string;
  /** How likely it is that this is there, 0 to 1. */
  prob: number;
  /** Broader names of the same. */
  groups: readonly string[];
}

/** Names of pictures that are not photos of things: what else is seen in them is only pictured. */
export const MADE: ReadonlySet<string> = new Set(["chart", "document", "screenshot", "drawing", "painting"]);

/** The models behind the findings; the version changes whenever they may change. */
export const FINDINGS_MODEL = { id: "centernet-and-efficientnet-lite2", version: "2" } as const;

const FINDINGS = Symbol("findings");

/** What the frame shows. Computed once per frame; the networks are loaded with the first. */
export const findingsOf = (frame: Frame): Promise<Findings> =>
  frame.once(FINDINGS, async () => findingsFrom(await detectObjects(frame), await kindsOf(frame)));

/** Loads the networks; rejects with the reason if that is not possible. */
export const loadFindings = async (): Promise<void> => {
  await loadObjectNetwork();
  await loadKindNetwork();
};

/** Compares the detector's objects with what the picture shows as a whole. */
export const findingsFrom = (objects: readonly ObjectSighting[], kinds: Kinds): Findings => {
  const kept = objects.filter((object) => !isContradicted(object, kinds));
  const believed = kept
    .filter((object) => isInPlace(object, kept, kinds))
    .map((object) => ({ ...object, agreed: isAgreed(object.label, kinds) }));
  const kind = kindIn(kinds, believed);
  // An animal is nothing more where a giraffe is.
  if (kind === undefined || believed.some(({ label }) => isKindOf(label, kind.name))) return { objects: believed };
  return { objects: believed, kind };
};

/**
 * The likeliest word if its score suffices, else the likeliest of our own words, else the narrowest group whose score
 * suffices. Charts, drawings and the like come first: the classifier names what they look like.
 */
const kindIn = ({ words, names, own }: Kinds, objects: readonly ObjectSighting[]): NamedKind | undefined => {
  const made = own.find((one) => MADE.has(one.word));
  if (made !== undefined) return { name: made.word, prob: made.prob, groups: [] };
  const [word, score] = [...words].reduce((best, next) => (next[1] > best[1] ? next : best), ["", 0]);
  // People wear and hold things that fill the picture but are not its subject.
  const isPortrait = objects.some(({ label, prob }) => label === "person" && prob >= PERSON_SURE);
  const suffices = (each: number, least: number): boolean =>
    each >= (isPortrait ? Math.max(least, BESIDE_PERSON) : least);
  if (suffices(score, wordMin(word))) return { name: word, prob: certainty(score), groups: groupsOf(word) };
  const [likeliest] = own;
  if (likeliest !== undefined && !isPortrait) {
    return { name: likeliest.word, prob: likeliest.prob, groups: groupsOf(likeliest.word) };
  }
  for (const [name, size] of sizes()) {
    const sum = names.get(name) ?? 0;
    if (size > 1 && suffices(sum, GROUP_MIN[name] ?? OTHER_GROUP_MIN)) {
      return { name, prob: certainty(sum), groups: groupsOf(name) };
    }
  }
  return undefined;
};

/** Whether a name of the detector is narrower than another name. */
const isKindOf = (label: ObjectLabel, name: string): boolean =>
  groupsOf(label).includes(name) || (name === ANIMAL && ANIMAL_LABELS.has(label));

const isAnimal = (word: string): boolean => groupsOf(word).includes(ANIMAL);

const isContradicted = ({ label, prob, box }: ObjectSighting, kinds: Kinds): boolean => {
  const animals = kinds.names.get(ANIMAL) ?? 0;
  const own = supportOf(label, kinds);
  if (label === "person") return animals >= ANIMALS_SURE && prob < PERSON_CERTAIN;
  if (!ANIMAL_LABELS.has(label)) {
    // What fills the picture is what the picture as a whole shows.
    const least = NEEDS[label] === undefined ? LARGE_SUPPORT_MIN : PLAIN_SUPPORT_MIN;
    if (box.width * box.height >= LARGE && own < least && !TRUSTED.has(label)) return true;
    return own < SUPPORT_MIN && prob < THING_SURE;
  }
  if (label === "giraffe") return false;
  if (animals < ANIMALS_UNLIKELY) return prob < ANIMAL_CERTAIN;
  // Many horses are no clear animal to the classifier; it takes a rival to contradict a sure one.
  const isRivaled =
    prob < ANIMAL_SURE || [...kinds.words].some(([word, score]) => score >= RIVAL_MIN && isAnimal(word));
  return animals >= ANIMALS_LIKELY && own < ANIMAL_SUPPORT_MIN && isRivaled;
};

/**
 * Of a label, one has to be likely; others beside it are likely then, too. Things of few features are believed only where
 * the picture as a whole or what is beside them speaks for them.
 */
const isInPlace = ({ label, prob }: ObjectSighting, others: readonly ObjectSighting[], kinds: Kinds): boolean => {
  const least = label === "person" ? PERSON_ALONE : OTHER_ALONE;
  const isNamed = (kinds.names.get(label) ?? 0) >= NAMED_MIN;
  if (!isNamed && !others.some((other) => other.label === label && other.prob >= least)) return false;
  const company = NEEDS[label];
  if (company === undefined || prob >= THING_CERTAIN || supportOf(label, kinds) >= SUPPORT_MIN) return true;
  return others.some((other) => company.has(other.label));
};

const isAgreed = (label: ObjectLabel, kinds: Kinds): boolean =>
  // The classifier knows no giraffes; it scores them as various animals.
  label === "giraffe" ? (kinds.names.get(ANIMAL) ?? 0) >= ANIMALS_LIKELY : supportOf(label, kinds) >= AGREEMENT_MIN;

/** How far the picture as a whole speaks for an object, 0 to 1. */
const supportOf = (label: ObjectLabel, { names }: Kinds): number =>
  (SUPPORT[label] ?? [label]).reduce((sum, name) => sum + (names.get(name) ?? 0), 0);

/** Names of the classifier's words and groups that speak for an object; its own name if it is not listed. */
const SUPPORT: Readonly<Partial<Record<ObjectLabel, readonly string[]>>> = {
  cow: ["cow"],
  sheep: ["sheep", "wild goat or sheep"],
  "stop sign": ["street sign"],
  "sports ball": ["ball"],
  "potted plant": ["plant pot", "flower", "greenhouse"],
  "wine glass": ["glass"],
  bottle: ["bottle"],
  cup: ["cup", "mug", "espresso", "beer glass"],
  bowl: ["bowl", "food"],
  tv: ["screen", "computer"],
  laptop: ["computer"],
  keyboard: ["keyboard", "computer"],
  mouse: ["mouse", "computer"],
  book: ["bookcase", "library", "bookshop", "comic"],
  cake: ["dessert", "bread", "ice cream"],
  donut: ["bagel", "dessert"],
  sandwich: ["hamburger", "hot dog", "bread", "burrito"],
  "dining table": ["restaurant", "food", "desk", "pool table"],
  chair: ["chair", "desk", "restaurant"],
  oven: ["stove", "microwave"],
  "tennis racket": ["racket", "tennis ball"],
  "baseball bat": ["baseball player", "baseball"],
  "baseball glove": ["baseball player", "baseball"],
  clock: ["clock", "watch"],
  vase: ["vase", "jug"],
  handbag: ["handbag", "plastic bag"],
  "hair drier": [],
};

/** Large objects that are trusted: the classifier has no class for them, or names what else is there. */
const TRUSTED: ReadonlySet<string> = new Set([
  "bicycle",
  "car",
  "motorcycle",
  "airplane",
  "bus",
  "train",
  "truck",
  "boat",
  "fork",
  "knife",
  "scissors",
  "carrot",
  "sandwich",
  "cake",
  "skateboard",
  "surfboard",
  "snowboard",
  "suitcase",
  "toothbrush",
  "tie",
  "chair",
  "couch",
  "bed",
  "dining table",
  "sink",
  "book",
]);

const COMPANY_OF_PEOPLE: ReadonlySet<string> = new Set(["person"]);
const COMPANY_IN_STREETS: ReadonlySet<string> = new Set(["person", "car", "bus", "truck", "motorcycle", "bicycle"]);

/** Objects that many round, flat or bright things are taken for, and what is usually beside real ones. */
const NEEDS: Readonly<Partial<Record<ObjectLabel, ReadonlySet<string>>>> = {
  frisbee: COMPANY_OF_PEOPLE,
  kite: COMPANY_OF_PEOPLE,
  skis: COMPANY_OF_PEOPLE,
  snowboard: COMPANY_OF_PEOPLE,
  "sports ball": COMPANY_OF_PEOPLE,
  "baseball bat": COMPANY_OF_PEOPLE,
  "baseball glove": COMPANY_OF_PEOPLE,
  skateboard: COMPANY_OF_PEOPLE,
  surfboard: COMPANY_OF_PEOPLE,
  "tennis racket": COMPANY_OF_PEOPLE,
  umbrella: COMPANY_OF_PEOPLE,
  "cell phone": COMPANY_OF_PEOPLE,
  remote: COMPANY_OF_PEOPLE,
  tie: COMPANY_OF_PEOPLE,
  toothbrush: COMPANY_OF_PEOPLE,
  "hair drier": COMPANY_OF_PEOPLE,
  clock: new Set(),
  donut: new Set(),
  "stop sign": COMPANY_IN_STREETS,
  "fire hydrant": COMPANY_IN_STREETS,
  "traffic light": COMPANY_IN_STREETS,
  "parking meter": COMPANY_IN_STREETS,
};

const ANIMAL = "animal";
const PERSON_SURE = 0.8;
const PERSON_CERTAIN = 0.9;
const ANIMALS_SURE = 0.6;
const ANIMALS_LIKELY = 0.5;
const ANIMALS_UNLIKELY = 0.2;
const ANIMAL_SUPPORT_MIN = 0.15;
const ANIMAL_CERTAIN = 0.9;
const ANIMAL_SURE = 0.8;
const RIVAL_MIN = 0.3;
const SUPPORT_MIN = 0.1;
const AGREEMENT_MIN = 0.15;
const PERSON_ALONE = 0.65;
const OTHER_ALONE = 0.6;
/** A score of the classifier that makes an unlikely object of the same name likely. */
const NAMED_MIN = 0.3;
/** Fraction of the picture. */
const LARGE = 0.15;
const LARGE_SUPPORT_MIN = 0.05;
/** For things of few features. */
const PLAIN_SUPPORT_MIN = 0.15;
const THING_SURE = 0.7;
const THING_CERTAIN = 0.95;

/** The least score of a word. Animals, food, vehicles and instruments are told apart better than household things. */
const wordMin = (word: string): number => {
  const groups = [word, ...groupsOf(word)];
  if (groups.some((group) => SURE.has(group))) return 0.3;
  return groups.some((group) => LIKELY.has(group)) ? 0.4 : 0.5;
};

const SURE: ReadonlySet<string> = new Set([
  ANIMAL,
  "food",
  "flower",
  "musical instrument",
  "vehicle",
  "aircraft",
  "boat",
  "computer graphic",
]);
const LIKELY: ReadonlySet<string> = new Set(["landscape", "building", "mushroom", "drawing"]);
const GROUP_MIN: Readonly<Record<string, number>> = { animal: 0.62, insect: 0.5 };
const OTHER_GROUP_MIN = 0.42;
/** The least score of a name where a person is. */
const BESIDE_PERSON = 0.6;

/**
 * How likely it is that a thing with this score is there: logistic regression on the logits of 81 words that were scored
 * .2 and more on the photos for tuning.
 */
const certainty = (score: number): number => {
  const bounded = Math.min(score, SCORE_MAX);
  return 1 / (1 + Math.exp(-(CERTAINTY_OF_HALF + STEEPNESS * Math.log(bounded / (1 - bounded)))));
};

const CERTAINTY_OF_HALF = 1.94;
const STEEPNESS = 2.07;

/** Nothing is entirely certain. */
const SCORE_MAX = 0.9;

const groupsOf = (name: string): readonly string[] => {
  const own = kindWords().find(({ word, groups }) => word === name || groups.includes(name));
  if (own === undefined) return [];
  return own.word === name ? own.groups : own.groups.slice(own.groups.indexOf(name) + 1);
};

/** The groups with the numbers of their rows, the narrowest first. */
const sizes = (): readonly (readonly [name: string, size: number])[] => {
  narrowFirst ??= [...counted(kindWords())].sort(([, a], [, b]) => a - b);
  return narrowFirst;
};

let narrowFirst: readonly (readonly [name: string, size: number])[] | undefined;

const counted = (list: readonly KindWord[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const row of list) for (const name of namesOf(row)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};
