import { type Body, distance, type Point } from "../../../vision/postures.js";
import { mean, type Track } from "./track.js";

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
