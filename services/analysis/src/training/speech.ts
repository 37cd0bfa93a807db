export { findFfmpeg } from "../media/ffmpeg.js";
export type { Transcript } from "../types.js";
export { transcribe } from "../media/speech.js";
