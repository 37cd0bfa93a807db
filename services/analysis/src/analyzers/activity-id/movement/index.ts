import { jumpingJacksIn } from "./jumping-jacks.js";
import { squatsIn } from "./squats.js";
import type { Movement, Track } from "./track.js";
import { wavingIn } from "./waving.js";

export { type BurstCollector, collectBursts } from "./bursts.js";
export { isStepping } from "./stepping.js";
export type { Movement, Track } from "./track.js";

/** What one person's movements say. Who does jumping jacks does not wave. */
export const movementsIn = (track: Track): Movement[] => {
  const jacks = jumpingJacksIn(track);
  return [...squatsIn(track), ...jacks, ...(jacks.length > 0 ? [] : wavingIn(track))];
};
