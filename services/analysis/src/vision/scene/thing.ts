import { extentOf, type Extent } from "./extent.js";
import type { Scene } from "./scene.js";

/** An object with its position. */
export interface Thing {
  label: string;
  prob: number;
  extent: Extent;
}

/** The things of a scene, without people. */
export const thingsOf = ({ objects, aspect }: Scene): Thing[] =>
  objects
    .filter(({ label }) => label !== "person")
    .map(({ label, prob, box }) => ({ label, prob, extent: extentOf(box, aspect) }));
