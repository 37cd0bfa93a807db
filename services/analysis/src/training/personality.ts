/** What measuring the baselines needs of this analyzer. */
export { type Measure, type Profile, profileOf } from "../analyzers/personality-mb/profile.js";
