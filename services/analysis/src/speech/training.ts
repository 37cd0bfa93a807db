export { findFfmpeg } from "../video/ffmpeg.js";
export type { Transcript } from "../visual.js";
export { transcribe } from "./transcribe.js";
