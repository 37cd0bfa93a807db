import { fileURLToPath } from "node:url";
import { loadOnnxRuntime } from "../engines/onnx-runtime.js";
import { keepLoaded, shipped } from "../models/shipped-models.js";
import { CodecLog, type FfmpegSettings, findFfmpeg, inBrackets, inputArguments, runFfmpeg } from "./ffmpeg.js";
import { type MediaFacts, UnreadableFileError } from "./probe/facts.js";

interface SoundOptions {
  settings: FfmpegSettings;
  signal?: AbortSignal | undefined;
}

/** Sample rate of `readSamples` in Hz. */
export const SAMPLE_RATE = 16_000;

/** Seconds read beyond the declared end of a file, for files that declare less than they contain. */
const BEYOND_SECONDS = 30;

/**
 * Reads the first audio track of an MP3 or MP4 file: 16 kHz, mono, -1 to 1, in chunks as they arrive. Sample 0 is the
 * start of the file; gaps and a late start of the track are filled with silence. Yields nothing for a file without
 * sound. The decodable part of a damaged track is yielded; throws UnreadableFileError if nothing can be decoded, and
 * FfmpegMissingError.
 */
export async function* readSamples(
  file: string,
  facts: MediaFacts,
  { settings, signal }: SoundOptions,
): AsyncGenerator<Float32Array> {
  if (!facts.hasSound) return;
  const ffmpeg = await findFfmpeg(settings);
  const codecs = new CodecLog();
  const seconds = (facts.durationMs ?? 0) / 1000 + BEYOND_SECONDS;
  const args = [
    ...inputArguments(file, facts),
    ...["-map", "0:a:0", "-vn", "-sn", "-dn", "-t", String(seconds), "-ac", "1"],
    ...["-af", `aresample=${SAMPLE_RATE}:async=1:first_pts=0`, "-f", "f32le", "pipe:1"],
  ];
  const run = runFfmpeg(ffmpeg, args, { signal, onLine: (line) => codecs.read(line) });
  let count = 0;
  let rest = new Uint8Array(0);
  for await (const piece of run.output) {
    const bytes = Buffer.concat([rest, piece]);
    const whole = bytes.byteLength - (bytes.byteLength % Float32Array.BYTES_PER_ELEMENT);
    rest = bytes.subarray(whole);
    count += whole;
    // A copy, because a Float32Array needs an aligned offset.
    if (whole > 0) yield new Float32Array(Uint8Array.from(bytes.subarray(0, whole)).buffer);
  }
  if (count > 0) return;
  // The log may arrive after the end of the sound, and names the codec.
  await run.ended;
  throw unreadableSound(codecs);
}

function unreadableSound(codecs: CodecLog): UnreadableFileError {
  const codec = codecs.name("Audio");
  return new UnreadableFileError(
    codecs.isUnknown && codec !== undefined
      ? `The sound is encoded with ${codec}, which cannot be decoded here: convert it to AAC or MP3, and upload that.`
      : `Nothing of the sound${inBrackets(codec)} can be decoded: it is damaged, or encoded in a way that is not known here. Export it again, as AAC or MP3, and upload that.`,
  );
}

/** Samples per window: 32 ms at 16 kHz. */
export const WINDOW = 512;

/** Samples before a window that the network gets as context. */
const CONTEXT = 64;
const STATE = 128;
const MODEL = shipped("speech/silero-vad.onnx");

/** Detects voice in one recording, from its start. */
interface VoiceDetector {
  /** Takes the next whole windows, and returns the probability of speech in each. */
  detect(samples: Float32Array): Promise<Float32Array>;
}

/** Starts a recording. The network is Silero VAD, see models/speech/NOTES.md of this package; it is loaded once per process. */
async function createVoiceDetector(): Promise<VoiceDetector> {
  const { Tensor, session } = await network("silero");
  const empty = () => new Tensor("float32", new Float32Array(STATE), [1, 1, STATE]);
  let [h, c] = [empty(), empty()];
  let context: Float32Array = new Float32Array(CONTEXT);
  return {
    async detect(samples) {
      const count = samples.length / WINDOW;
      const rows = new Float32Array(count * (CONTEXT + WINDOW));
      for (let i = 0; i < count; i++) {
        const window = samples.subarray(i * WINDOW, (i + 1) * WINDOW);
        rows.set(context, i * (CONTEXT + WINDOW));
        rows.set(window, i * (CONTEXT + WINDOW) + CONTEXT);
        context = window.slice(-CONTEXT);
      }
      const { speech_probs, hn, cn } = await session.run({
        input: new Tensor("float32", rows, [count, CONTEXT + WINDOW]),
        h,
        c,
      });
      if (!(speech_probs?.data instanceof Float32Array) || hn === undefined || cn === undefined) {
        throw new Error("silero-vad.onnx has other outputs than it should");
      }
      [h, c] = [hn as typeof h, cn as typeof c];
      return speech_probs.data;
    },
  };
}

async function loadDetector() {
  const { InferenceSession, Tensor } = await loadOnnxRuntime();
  const session = await InferenceSession.create(fileURLToPath(MODEL), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableCpuMemArena: false,
    logSeverityLevel: 4,
  });
  return { session, Tensor };
}

const network = keepLoaded((_: "silero") => loadDetector());

/** A stretch of speech. */
interface Utterance {
  /** Samples from the start of the recording. */
  start: number;
  samples: Float32Array;
}

/** Number of windows in a duration. */
const windows = (seconds: number): number => Math.round((seconds * SAMPLE_RATE) / WINDOW);

/** Thresholds for the beginning and the continuation of speech: Silero's default settings. */
const BEGINS = 0.5;
const CONTINUES = 0.35;
/** A pause of this length ends an utterance. */
const PAUSE = windows(0.6);
/**
 * Margin kept on both sides: the first and last sounds of words are quiet. Less than half a pause, so that nothing is
 * transcribed twice.
 */
const MARGIN = windows(0.25);
/** Less voice than this is a click or a cough. */
const VOICE_MIN = windows(0.2);
/** The speech model was trained on less than 30 s. Longer speech is cut at the quietest place in the second half. */
const LONGEST = windows(20);
/** Number of windows over which loudness is averaged. */
const QUIET = 5;
/** Windows per network run. */
const BATCH = 64;

interface Window {
  samples: Float32Array;
  prob: number;
}

/** Splits a recording into utterances of at most 20 s; silence, noise and music are left out. */
export async function* findUtterances(samples: AsyncIterable<Float32Array>): AsyncGenerator<Utterance> {
  const detector = await createVoiceDetector();
  const cutter = new UtteranceCutter();
  for await (const batch of inBatches(samples)) {
    const probs = await detector.detect(batch);
    for (const [i, prob] of probs.entries())
      yield* cutter.take({ samples: batch.slice(i * WINDOW, (i + 1) * WINDOW), prob });
  }
  yield* cutter.end();
}

/** Whole windows in batches; the last is padded with silence. */
async function* inBatches(samples: AsyncIterable<Float32Array>): AsyncGenerator<Float32Array> {
  let batch = new Float32Array(BATCH * WINDOW);
  let filled = 0;
  for await (const piece of samples) {
    for (let at = 0; at < piece.length;) {
      const part = piece.subarray(at, at + batch.length - filled);
      batch.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < batch.length) continue;
      yield batch;
      batch = new Float32Array(BATCH * WINDOW);
      filled = 0;
    }
  }
  if (filled > 0) yield batch.subarray(0, Math.ceil(filled / WINDOW) * WINDOW);
}

/** Decides the beginning and end of utterances, window by window. */
export class UtteranceCutter {
  /** Windows that may still belong to an utterance; `first` is the number of the first of them. */
  private kept: Window[] = [];
  private first = 0;
  private speaking = false;
  /** Index in `kept` of the last window with voice. */
  private voice = 0;

  /** Returns the utterance that ends with this window, if there is one. */
  take(window: Window): Utterance[] {
    this.kept.push(window);
    if (window.prob >= (this.speaking ? CONTINUES : BEGINS)) {
      this.speaking = true;
      this.voice = this.kept.length - 1;
    }
    if (!this.speaking) {
      this.drop(Math.max(0, this.kept.length - MARGIN));
      return [];
    }
    if (this.kept.length - 1 - this.voice >= PAUSE) return this.stop();
    return this.kept.length >= LONGEST ? this.emit(quietestCut(this.kept)) : [];
  }

  /** Returns the utterance that the end of the recording cut off. */
  end(): Utterance[] {
    return this.speaking ? this.stop() : [];
  }

  private stop(): Utterance[] {
    this.speaking = false;
    return this.emit(Math.min(this.kept.length, this.voice + 1 + MARGIN));
  }

  private emit(length: number): Utterance[] {
    const chosen = this.kept.slice(0, length);
    const start = this.first * WINDOW;
    this.drop(length);
    if (chosen.filter(({ prob }) => prob >= BEGINS).length < VOICE_MIN) return [];
    return [{ start, samples: joined(chosen) }];
  }

  private drop(count: number): void {
    this.kept = this.kept.slice(count);
    this.first += count;
    this.voice -= count;
  }
}

/** The quietest position for a cut in the second half. */
function quietestCut(kept: readonly Window[]): number {
  const loudness = kept.map(({ samples, prob }) => {
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
    return (Math.sqrt(power) + 1e-4) * (prob + 0.05);
  });
  let best = kept.length;
  let least = Infinity;
  for (let at = Math.floor(kept.length / 2); at + QUIET < kept.length; at++) {
    const around = loudness.slice(at, at + QUIET).reduce((sum, value) => sum + value, 0);
    if (around >= least) continue;
    least = around;
    best = at + Math.ceil(QUIET / 2);
  }
  return best;
}

function joined(parts: readonly Window[]): Float32Array {
  const all = new Float32Array(parts.length * WINDOW);
  parts.forEach(({ samples }, i) => all.set(samples, i * WINDOW));
  return all;
}
