import { jumpingJacksIn } from "./jumping-jacks.js";
import { squatsIn } from "./squats.js";
import type { Movement, Track } from "./track.js";
import { wavingIn } from "./waving.js";

export { type BurstCollector, collectBursts } from "./bursts.js";
export { isStepping } from "./stepping.js";
export type { Movement, Track } from "./track.js";

/** The movements of one person. Somebody who does jumping jacks is not reported as waving. */
export const movementsIn = (track: Track): Movement[] => {
  const jacks = jumpingJacksIn(track);
  return [...squatsIn(track), ...jacks, ...(jacks.length > 0 ? [] : wavingIn(track))];
};
