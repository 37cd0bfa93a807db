export { findFfmpeg } from "../decode/video/ffmpeg.js";
export type { Transcript } from "../visual.js";
export { transcribe } from "../speech/transcribe.js";
