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
  /** Ends the work; rejects with its reason. */
  signal?: AbortSignal | undefined;
}

/** A model that is loaded. */
interface Ear {
  model: { id: string; version: string };
  recognise: Recognise;
  tokens: TokenReader;
}

const ears = new Map<string, Promise<Ear>>();

/**
 * Writes down what is said in a recording or video. Only stretches with a voice are listened to, and what the model is not sure
 * of is left out, so that silence, noise and music give an empty transcript, and other languages than English mostly too.
 *
 * Throws ModelError when there is no model to listen with, UnreadableFileError when the sound cannot be decoded, and FfmpegMissingError.
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
    // Marks alone, such as "…", are what the model says of breath.
    if (!/[\p{L}\p{N}]/u.test(text)) continue;
    if (isCredible(hypothesis)) segments.push({ start: tenths(start), end: tenths(start + heard.length), text });
    else unclear += heard.length;
  }
  const text = segments.map((segment) => segment.text).join(" ");
  return { text, segments, ...(unclear > 0 ? { unclearSeconds: tenths(unclear) } : {}), model: ear.model };
}

/**
 * Whether there is a model to write speech down with; `error` says what to do when not. Looks whether its files are there, and neither
 * loads nor downloads them.
 */
export async function speechStatus(settings: EngineSettings): Promise<{ ready: boolean; error?: string }> {
  try {
    if (await isSpeechModelHere(settings)) return { ready: true };
    // Without a network this only says why.
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

/** Loads a model once per process; one that could not be had is tried again the next time. */
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
