export { findFfmpeg } from "../media/ffmpeg.js";
export { transcribe, type Transcript } from "../media/speech.js";
