import type { Body } from "../../../vision/postures.js";
import { repetitionsOf, type State } from "./repetitions.js";
import { isDense, mean, sureOf, type Movement, type Track } from "./track.js";

/** Jumping jacks: arms go up while the feet go apart, and both come back, at least twice. */
export const jumpingJacksIn = (track: Track): Movement[] => {
  const states = track.flatMap(({ atMs, body }) => stateOf(atMs, body) ?? []);
  const row = repetitionsOf(states, PAUSE_MAX_MS);
  if (!row || row.count < COUNT_MIN || !isDense(track, GAP_MAX_MS)) return [];
  return [{ activity: "doing jumping jacks", strength: sureOf(track), fromMs: row.fromMs, toMs: row.toMs }];
};

const stateOf = (atMs: number, { arms, legs }: Body): State | undefined => {
  const [one, other] = legs;
  if (arms.length < 2 || !one || !other) return undefined;
  const apart = Math.abs(one.ankle.x - other.ankle.x) / mean([one.length, other.length]);
  if (apart > 0.55 && arms.every(({ lift }) => lift > 125)) return { atMs, extreme: "second" };
  return { atMs, extreme: apart < 0.4 && arms.every(({ lift }) => lift < 45) ? "first" : undefined };
};

const COUNT_MIN = 2;
const PAUSE_MAX_MS = 2_000;
const GAP_MAX_MS = 260;
