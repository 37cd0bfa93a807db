export { filmOfAnimation } from "./animation.js";
export { FfmpegMissingError, type FfmpegSettings, ffmpegStatus } from "./ffmpeg.js";
export { type FilmOptions, openFilm } from "./film.js";
export type { OpenFilm, Shot } from "./shots.js";
