export { DEFAULT_SPEECH_MODEL, selectSpeechModelFiles, speechModel } from "./model-files.js";
export { speechStatus, transcribe, type TranscribeOptions } from "./transcribe.js";
