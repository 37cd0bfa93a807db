import type { ObjectLabel } from "../../../vision/objects.js";
import type { Scene, SeenFace } from "../../../vision/scene.js";

/** An object and its box; the probability is 0.8 if none is given. */
export type Placed = readonly [
  label: ObjectLabel,
  left: number,
  top: number,
  width: number,
  height: number,
  prob?: number,
];

/** A picture with these objects and faces. */
export const scene = (things: readonly Placed[], faces: readonly SeenFace[] = []): Scene => ({
  aspect: 1.5,
  height: 800,
  objects: things.map(([label, left, top, width, height, prob = 0.8]) => ({
    label,
    prob,
    box: { left, top, width, height },
  })),
  faces,
  poses: [],
});

/** So many people side by side. */
export const people = (count: number): Placed[] =>
  Array.from({ length: count }, (_, i) => ["person", (i * 0.9) / count, 0.2, 0.8 / count, 0.7]);
