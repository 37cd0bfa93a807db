export { filmOfAnimation } from "./animation.js";
export { FfmpegMissingError, type FfmpegSettings, ffmpegStatus } from "./ffmpeg.js";
export { type FilmOptions, openFilm } from "./film.js";
export { mergeOverTime, type Sighting } from "../../vision/merge-over-time.js";
export type { OpenFilm, Shot } from "./shots.js";
