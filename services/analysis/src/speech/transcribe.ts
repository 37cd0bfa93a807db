import { readSamples, SAMPLE_RATE } from "../decode/audio/read-samples.js";
import type { EngineSettings } from "../engine-settings.js";
import type { MediaFacts } from "../formats/media-facts.js";
import { ModelError, pullCommand, spellModelId } from "../model-hub/index.js";
import type { SpokenSegment, Transcript } from "../visual.js";
import { isCredible } from "./hypothesis.js";
import { isSpeechModelHere, provideSpeechModel, speechModel } from "./model-files.js";
import { loadRecogniser, type Recognise } from "./recogniser.js";
import type { TokenReader } from "./tokenizer.js";
import { findUtterances } from "./utterances.js";

export interface TranscribeOptions {
  settings: EngineSettings;
  /** Ends the work, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** A loaded model. */
interface Ear {
  model: { id: string; version: string };
  recognise: Recognise;
  tokens: TokenReader;
}

const ears = new Map<string, Promise<Ear>>();

/**
 * Transcribes a recording or video. Only stretches with a voice are passed to the model, and uncertain results are
 * dropped, so that silence, noise and music give an empty transcript, and usually languages other than English, too.
 *
 * Throws ModelError if no model is available, UnreadableFileError if the sound cannot be decoded, and
 * FfmpegMissingError.
 */
export async function transcribe(
  file: string,
  facts: MediaFacts,
  { settings, signal }: TranscribeOptions,
): Promise<Transcript> {
  const ear = await loadEar(settings);
  const samples = readSamples(file, facts, { settings: settings.media ?? {}, signal });
  const segments: SpokenSegment[] = [];
  let unclear = 0;
  for await (const { start, samples: heard } of findUtterances(samples)) {
    signal?.throwIfAborted();
    const hypothesis = await ear.recognise(heard, signal);
    const text = ear.tokens.text(hypothesis.tokens);
    // The model transcribes breath as punctuation only, for example "…".
    if (!/[\p{L}\p{N}]/u.test(text)) continue;
    if (isCredible(hypothesis)) segments.push({ start: tenths(start), end: tenths(start + heard.length), text });
    else unclear += heard.length;
  }
  const text = segments.map((segment) => segment.text).join(" ");
  return { text, segments, ...(unclear > 0 ? { unclearSeconds: tenths(unclear) } : {}), model: ear.model };
}

/**
 * Whether a speech model is available; if not, `error` says what to do. Checks whether its files exist, and neither
 * loads nor downloads them.
 */
export async function speechStatus(settings: EngineSettings): Promise<{ ready: boolean; error?: string }> {
  try {
    if (await isSpeechModelHere(settings)) return { ready: true };
    // Without network access this only determines the reason.
    if (settings.offline === true || settings.modelsDir === undefined) await provideSpeechModel(settings);
    const name = spellModelId(speechModel(settings));
    const advice = `it is downloaded when the first sound comes, or by ${pullCommand(name)}`;
    return { ready: false, error: `Model ${name} is not in MODELS_DIR: ${advice}.` };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { ready: false, error: error.message };
  }
}

const tenths = (samples: number): number => Math.round((samples / SAMPLE_RATE) * 10) / 10;

/** Loads a model once per process; a failed attempt is retried the next time. */
async function loadEar(settings: EngineSettings): Promise<Ear> {
  const key = `${settings.modelsDir ?? ""} ${spellModelId(speechModel(settings))}`;
  const loading = ears.get(key) ?? openEar(settings);
  ears.set(key, loading);
  try {
    return await loading;
  } catch (error) {
    ears.delete(key);
    throw error;
  }
}

async function openEar(settings: EngineSettings): Promise<Ear> {
  const files = await provideSpeechModel(settings);
  try {
    const recognise = await loadRecogniser(files);
    return { model: { id: files.id, version: files.version }, recognise, tokens: files.tokens };
  } catch (error) {
    const why = `Model ${files.id} cannot be loaded: run ${pullCommand(files.id)}, or name another as MODEL_SPEECH.`;
    throw new ModelError("damaged", why, { cause: error });
  }
}
