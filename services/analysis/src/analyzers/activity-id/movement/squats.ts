import type { Body } from "../../../vision/postures.js";
import { repetitionsOf, type State } from "./repetitions.js";
import { isDense, mean, sureOf, type Movement, type Track } from "./track.js";

/** Squats: knees and hips bend far and stretch again, at least twice, over feet that stay. */
export const squatsIn = (track: Track): Movement[] => {
  const states = track.flatMap(({ atMs, body }) => stateOf(atMs, body) ?? []);
  const row = repetitionsOf(states, PAUSE_MAX_MS);
  if (!row || row.count < COUNT_MIN || !isDense(track, GAP_MAX_MS)) return [];
  if (!feetStay(track, row.fromMs, row.toMs)) return [];
  return [{ activity: "doing squats", strength: sureOf(track), fromMs: row.fromMs, toMs: row.toMs }];
};

const stateOf = (atMs: number, { legs, torso }: Body): State | undefined => {
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
const PAUSE_MAX_MS = 6_000;
const GAP_MAX_MS = 700;
