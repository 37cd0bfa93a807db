/** The exports for measuring the baselines of this analyzer. */
export { type Measure, type Profile, profileOf } from "../analyzers/personality-mb/profile.js";
