import { type Body, type Side, SIDES } from "../../../vision/postures.js";
import { isDense, sureOf, type Movement, type Track } from "./track.js";

/** Waving: a hand above its elbow swings to and fro, at least three times within some seconds, while the elbow stays. */
export const wavingIn = (track: Track): Movement[] => SIDES.flatMap((side) => waveOf(track, side)).slice(0, 1);

interface Swing {
  atMs: number;
  /** Horizontal distance of the wrist from the elbow, in torso lengths. */
  offset: number;
  /** From the shoulders, in torso lengths. */
  elbow: { x: number; y: number };
}

const waveOf = (track: Track, side: Side): Movement[] => {
  for (const swings of raisedRows(track, side)) {
    const turns = turnsOf(swings);
    const [first, last] = [turns[0], turns.at(-1)];
    if (!first || !last || turns.length < TURNS_MIN || !isDense(swings, GAP_MAX_MS)) continue;
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
const GAP_MAX_MS = 260;
