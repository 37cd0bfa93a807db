import type { Caption } from "../../types.js";
import { captionOfScenes } from "./caption-of-scenes.js";
import type { Ingredients } from "./ingredients.js";
import { sentenceOf } from "./sentence.js";
import type { Amount } from "./things.js";

/** Describes a video: its length and what its scenes show. Scenes in which nothing was recognized are left out. */
export const captionOfVideo = (shown: readonly Shown[], durationMs: number): Caption =>
  captionOfScenes(
    scenesOf(shown).flatMap(({ fromMs, frames, afterCut, ingredients }) => {
      const description = sentenceOf(ingredients);
      return description === undefined ? [] : [{ fromMs, length: frames, afterCut, description }];
    }),
    durationMs,
  );

/** The ingredients of one frame of a video. */
export interface Shown {
  atMs: number;
  /** Whether there is a cut directly before this frame. */
  afterCut: boolean;
  ingredients: Ingredients;
}

/** A stretch of a video that shows the same things. */
interface VideoScene {
  fromMs: number;
  frames: number;
  afterCut: boolean;
  ingredients: Ingredients;
}

/**
 * The scenes of a video: consecutive frames, without a cut, that show nearly the same kinds of objects. A kind that
 * appears or disappears for two consecutive frames begins a new scene; a change for one frame is detector flicker.
 * Numbers flicker, too, so the median is used. A scene's description contains only what most of its frames show.
 */
const scenesOf = (shown: readonly Shown[]): VideoScene[] => {
  const scenes: Shown[][] = [];
  shown.forEach((frame, i) => {
    const current = scenes.at(-1);
    if (current && continues(current, frame, shown[i + 1])) current.push(frame);
    else scenes.push([frame]);
  });
  return scenes.map((frames) => ({
    fromMs: frames[0]!.atMs,
    frames: frames.length,
    afterCut: frames[0]!.afterCut,
    ingredients: merged(frames.map(({ ingredients }) => ingredients)),
  }));
};

const continues = (scene: readonly Shown[], frame: Shown, next: Shown | undefined): boolean => {
  if (frame.afterCut) return false;
  const told = mostKinds(scene);
  const kinds = kindsOf(frame.ingredients);
  if (!isLike(kinds, told)) return false;
  if (next === undefined || next.afterCut) return true;
  const after = kindsOf(next.ingredients);
  return [...kinds, ...told].every((kind) => kinds.has(kind) === told.has(kind) || kinds.has(kind) !== after.has(kind));
};

/** Kinds of things in a frame, people among them. */
const kindsOf = ({ people, groups }: Ingredients): Set<string> =>
  new Set([...(people ? ["people"] : []), ...groups.map(({ label }) => label)]);

const isLike = (kinds: ReadonlySet<string>, others: ReadonlySet<string>): boolean => {
  const shared = [...kinds].filter((kind) => others.has(kind)).length;
  const all = kinds.size + others.size - shared;
  return all === 0 || shared / all >= LIKENESS_MIN;
};

const mostKinds = (frames: readonly Shown[]): Set<string> => {
  const counts = new Map<string, number>();
  for (const { ingredients } of frames) {
    for (const kind of kindsOf(ingredients)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => isMost(count, frames)).map(([kind]) => kind));
};

const isMost = (count: number, frames: readonly unknown[]): boolean => count * 2 > frames.length;

const merged = (frames: readonly Ingredients[]): Ingredients => {
  const people = peopleOf(frames);
  const groups = groupsOf(frames);
  // Somebody who stands in one frame may walk in all of them.
  const activity = people && common(frames, ({ activity: one }) => (one === "standing" ? undefined : one));
  const placement = common(frames, ({ placement: one }) => one);
  const words = common(frames, ({ words: one }) => one);
  const isThere = (label: string): boolean =>
    label === "people" ? people !== undefined : groups.some((group) => group.label === label);
  return {
    ...(people ? { people } : {}),
    ...(activity ? { activity } : {}),
    groups,
    ...(placement && isThere(placement.what) && isThere(placement.of) ? { placement } : {}),
    ...(words ? { words } : {}),
  };
};

const peopleOf = (frames: readonly Ingredients[]): Ingredients["people"] => {
  const seen = frames.flatMap(({ people }) => people ?? []);
  if (!isMost(seen.length, frames)) return undefined;
  const { count, exact } = typical(seen);
  const alike = seen.filter((people) => people.count === count);
  const kinds = alike[0]!.kinds;
  const same = alike.filter((people) => people.kinds.join() === kinds.join()).length * 2 > alike.length;
  return {
    count,
    exact,
    kinds: same ? kinds : kinds.map(() => "person" as const),
    smiling: alike.filter(({ smiling }) => smiling).length * 2 > alike.length,
  };
};

const groupsOf = (frames: readonly Ingredients[]): Ingredients["groups"] => {
  const amounts = new Map<string, Amount[]>();
  for (const { groups } of frames) {
    for (const { label, count, exact } of groups) amounts.set(label, [...(amounts.get(label) ?? []), { count, exact }]);
  }
  return [...amounts]
    .filter(([, seen]) => isMost(seen.length, frames))
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, GROUPS_MAX)
    .map(([label, seen]) => ({ label, ...typical(seen) }));
};

/** What most frames have in common. */
const common = <V>(frames: readonly Ingredients[], of: (frame: Ingredients) => V | undefined): V | undefined => {
  const seen = new Map<string, { value: V; count: number }>();
  for (const frame of frames) {
    const value = of(frame);
    if (value === undefined) continue;
    const key = JSON.stringify(value);
    seen.set(key, { value, count: (seen.get(key)?.count ?? 0) + 1 });
  }
  const [most] = [...seen.values()].sort((a, b) => b.count - a.count);
  return most && isMost(most.count, frames) ? most.value : undefined;
};

/** The median; exact if most frames have exactly this number. */
const typical = (amounts: readonly Amount[]): Amount => {
  const count = median(amounts.map((amount) => amount.count));
  const agreeing = amounts.filter((amount) => amount.exact && amount.count === count).length;
  return { count, exact: agreeing * 2 > amounts.length };
};

/** The lower one of two. */
const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[(numbers.length - 1) >> 1]!;

const LIKENESS_MIN = 0.5;
const GROUPS_MAX = 3;
