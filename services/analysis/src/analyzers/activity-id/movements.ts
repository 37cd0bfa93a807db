import type { Box } from "../../types.js";
import { type Body, distance, type Point, type Side, SIDES } from "../../vision/postures.js";

/** One person's body over time, in order; samples are a few sixths of a second apart. */
export type Track = readonly { atMs: number; body: Body }[];

/** An activity that takes time, and when it was seen, in milliseconds. */
export interface Movement {
  activity: "doing squats" | "doing jumping jacks" | "waving";
  /** 0 to 1; not calibrated yet. */
  strength: number;
  fromMs: number;
  toMs: number;
  /** The place of the person's joints at the start. */
  box: Box;
}

/** The probability that a track shows a person, 0 to 1. */
const sureOf = (track: Track): number => track[0]?.body.pose.prob ?? 0;

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** Whether most gaps between these samples are at most `gapMaxMs`, so that no longer movement was missed. */
const isDense = (samples: readonly { atMs: number }[], gapMaxMs: number): boolean => {
  const gaps = samples.slice(1).map(({ atMs }, i) => atMs - samples[i]!.atMs);
  return gaps.length > 0 && gaps.filter((gap) => gap <= gapMaxMs).length * 2 > gaps.length;
};

/** The movements of one person. Somebody who does jumping jacks is not reported as waving. */
export const movementsIn = (track: Track): Movement[] => {
  const jacks = jumpingJacksIn(track);
  const found = [...squatsIn(track), ...jacks, ...(jacks.length > 0 ? [] : wavingIn(track))];
  return found.flatMap((movement) => {
    const start = track.find(({ atMs }) => atMs >= movement.fromMs);
    return start === undefined ? [] : [{ ...movement, box: start.body.pose.box }];
  });
};

type TimedMovement = Omit<Movement, "box">;

/** Squats: knees and hips bend far and stretch again, at least twice, over feet that stay. */
const squatsIn = (track: Track): TimedMovement[] => {
  const states = track.flatMap(({ atMs, body }) => squatStateOf(atMs, body) ?? []);
  const row = repetitionsOf(states, SQUAT_PAUSE_MAX_MS);
  if (!row || row.count < COUNT_MIN || !isDense(track, SQUAT_GAP_MAX_MS)) return [];
  if (!feetStay(track, row.fromMs, row.toMs)) return [];
  return [{ activity: "doing squats", strength: sureOf(track), fromMs: row.fromMs, toMs: row.toMs }];
};

const squatStateOf = (atMs: number, { legs, torso }: Body): State | undefined => {
  const hips = legs.flatMap(({ hipAngle }) => hipAngle ?? []);
  if (!torso || legs.length === 0 || hips.length === 0) return undefined;
  const [knee, hip] = [mean(legs.map(({ kneeAngle }) => kneeAngle)), mean(hips)];
  if (knee < BENT && hip < BENT_HIP) return { atMs, extreme: "second" };
  return { atMs, extreme: knee > STRAIGHT && hip > STRAIGHT_HIP && torso.tilt < 35 ? "first" : undefined };
};

/** Excludes people who walk or sit down elsewhere: they bend their knees, too. */
const feetStay = (track: Track, fromMs: number, toMs: number): boolean => {
  const bodies = track.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs).map(({ body }) => body);
  const feet = bodies.flatMap(({ legs }) => (legs.length > 0 ? [mean(legs.map(({ ankle }) => ankle.x))] : []));
  const length = Math.max(...bodies.flatMap(({ legs }) => legs.map((leg) => leg.length)));
  return feet.length > 0 && Math.max(...feet) - Math.min(...feet) < length;
};

const [BENT, BENT_HIP, STRAIGHT, STRAIGHT_HIP] = [130, 132, 152, 150];
const COUNT_MIN = 2;
const SQUAT_PAUSE_MAX_MS = 6_000;
const SQUAT_GAP_MAX_MS = 700;

/** Jumping jacks: arms go up while the feet go apart, and both come back, at least twice. */
const jumpingJacksIn = (track: Track): TimedMovement[] => {
  const states = track.flatMap(({ atMs, body }) => jackStateOf(atMs, body) ?? []);
  const row = repetitionsOf(states, JACK_PAUSE_MAX_MS);
  if (!row || row.count < COUNT_MIN || !isDense(track, JACK_GAP_MAX_MS)) return [];
  return [{ activity: "doing jumping jacks", strength: sureOf(track), fromMs: row.fromMs, toMs: row.toMs }];
};

const jackStateOf = (atMs: number, { arms, legs }: Body): State | undefined => {
  const [one, other] = legs;
  if (arms.length < 2 || !one || !other) return undefined;
  const apart = Math.abs(one.ankle.x - other.ankle.x) / mean([one.length, other.length]);
  if (apart > 0.55 && arms.every(({ lift }) => lift > 125)) return { atMs, extreme: "second" };
  return { atMs, extreme: apart < 0.4 && arms.every(({ lift }) => lift < 45) ? "first" : undefined };
};

const JACK_PAUSE_MAX_MS = 2_000;
const JACK_GAP_MAX_MS = 260;

/** A body's state at a moment: one extreme of an exercise, the other, or in between. */
interface State {
  atMs: number;
  extreme: "first" | "second" | undefined;
}

/** How often someone went from the first extreme to the second and back, and when. */
interface Repetitions {
  count: number;
  fromMs: number;
  toMs: number;
}

/**
 * The longest series of repetitions. States in between count for neither extreme, so trembling at a threshold is not a
 * repetition; a series ends when nothing changes for `pauseMaxMs`.
 */
const repetitionsOf = (states: readonly State[], pauseMaxMs: number): Repetitions | undefined => {
  const changes = changesOf(states);
  const rows: State[][] = [];
  for (const change of changes) {
    const row = rows.at(-1);
    if (row && change.atMs - row.at(-1)!.atMs <= pauseMaxMs) row.push(change);
    else rows.push([change]);
  }
  const [longest] = rows.sort((a, b) => b.length - a.length);
  if (!longest) return undefined;
  return { count: Math.floor((longest.length - 1) / 2), fromMs: longest[0]!.atMs, toMs: longest.at(-1)!.atMs };
};

/** The moments at which the extreme changes. */
const changesOf = (states: readonly State[]): State[] => {
  const changes: State[] = [];
  for (const state of states) {
    if (state.extreme !== undefined && state.extreme !== changes.at(-1)?.extreme) changes.push(state);
  }
  return changes;
};

/** Waving: a hand above its elbow swings to and fro, at least three times within some seconds, while the elbow stays. */
const wavingIn = (track: Track): TimedMovement[] => SIDES.flatMap((side) => waveOf(track, side)).slice(0, 1);

interface Swing {
  atMs: number;
  /** Horizontal distance of the wrist from the elbow, in torso lengths. */
  offset: number;
  /** From the shoulders, in torso lengths. */
  elbow: { x: number; y: number };
}

const waveOf = (track: Track, side: Side): TimedMovement[] => {
  for (const swings of raisedRows(track, side)) {
    const turns = turnsOf(swings);
    const [first, last] = [turns[0], turns.at(-1)];
    if (!first || !last || turns.length < TURNS_MIN || !isDense(swings, WAVE_GAP_MAX_MS)) continue;
    const quick = (last.atMs - first.atMs) / (turns.length - 1) <= TURN_MAX_MS;
    if (quick && elbowStays(swings)) {
      return [{ activity: "waving", strength: sureOf(track), fromMs: first.atMs, toMs: last.atMs }];
    }
  }
  return [];
};

/** The periods during which the forearm points up. */
const raisedRows = (track: Track, side: Side): Swing[][] => {
  const rows: Swing[][] = [[]];
  for (const { atMs, body } of track) {
    const swing = swingOf(body, side);
    if (swing) rows.at(-1)!.push({ atMs, ...swing });
    else if (rows.at(-1)!.length > 0) rows.push([]);
  }
  return rows;
};

/** Measured along and across the body, so that a rolling camera does not look like a swing. */
const swingOf = ({ arms, torso }: Body, side: Side): Omit<Swing, "atMs"> | undefined => {
  const arm = arms.find((one) => one.side === side);
  if (!arm || !torso) return undefined;
  const { length, hips, shoulders } = torso;
  const up = { x: (shoulders.x - hips.x) / length, y: (shoulders.y - hips.y) / length };
  const hand = { x: (arm.wrist.x - arm.elbow.x) / length, y: (arm.wrist.y - arm.elbow.y) / length };
  const elbow = { x: (arm.elbow.x - shoulders.x) / length, y: (arm.elbow.y - shoulders.y) / length };
  if (hand.x * up.x + hand.y * up.y <= RAISED_MIN) return undefined;
  return { offset: hand.y * up.x - hand.x * up.y, elbow };
};

/** The moments at which the hand turns back after a swing that is wide enough. */
const turnsOf = (swings: readonly Swing[]): Swing[] => {
  const turns: Swing[] = [];
  let [low, high] = [swings[0], swings[0]];
  for (const swing of swings) {
    if (!low || !high) break;
    if (swing.offset < low.offset) low = swing;
    if (swing.offset > high.offset) high = swing;
    const fell = high.offset - swing.offset > WIDTH_MIN && high.atMs < swing.atMs;
    const rose = swing.offset - low.offset > WIDTH_MIN && low.atMs < swing.atMs;
    if (!fell && !rose) continue;
    turns.push(fell ? high : low);
    [low, high] = [swing, swing];
  }
  return turns;
};

const elbowStays = (swings: readonly Swing[]): boolean => {
  const spread = (numbers: readonly number[]): number => Math.max(...numbers) - Math.min(...numbers);
  return spread(swings.map(({ elbow }) => elbow.x)) < 0.5 && spread(swings.map(({ elbow }) => elbow.y)) < 0.5;
};

/** In torso lengths. */
const RAISED_MIN = 0.2;
const WIDTH_MIN = 0.18;
const TURNS_MIN = 3;
const TURN_MAX_MS = 800;
/** A hand may swing three times a second: frames further apart show turns that did not happen. */
const WAVE_GAP_MAX_MS = 260;

/**
 * Whether a person whose body seems to stand at this moment actually walks, runs or dances: the feet move relative to
 * each other shortly before or after. Independent of camera movement.
 */
export const isStepping = (body: Body, atMs: number, tracks: readonly Track[]): boolean =>
  tracks.some((track) => {
    const near = track.filter((sample) => Math.abs(sample.atMs - atMs) <= AROUND_MS);
    if (!near.some((sample) => isSame(sample.body, body))) return false;
    const feet = near.flatMap((sample) => feetOf(sample.body) ?? []);
    return (
      feet.length >= SAMPLES_MIN && Math.max(spread(feet.map(({ x }) => x)), spread(feet.map(({ y }) => y))) > SWING
    );
  });

const isSame = ({ torso: one }: Body, { torso: other }: Body): boolean =>
  one !== undefined && other !== undefined && distance(one.hips, other.hips) < one.length;

/** From the right foot to the left, in leg lengths. */
const feetOf = ({ legs: [one, other] }: Body): Point | undefined => {
  if (!one || !other) return undefined;
  const length = mean([one.length, other.length]);
  return { x: (one.ankle.x - other.ankle.x) / length, y: (one.ankle.y - other.ankle.y) / length };
};

const spread = (numbers: readonly number[]): number => Math.max(...numbers) - Math.min(...numbers);

const AROUND_MS = 1_500;
const SAMPLES_MIN = 3;
/** Greater than the jitter of the points. */
const SWING = 0.35;
