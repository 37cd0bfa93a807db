/** What measuring the baselines needs of this analyzer. */
export { type Measure, type Profile, profileOf } from "./profile.js";
