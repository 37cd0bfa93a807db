import { execFile } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { findFfmpeg, transcribe, type Transcript } from "@hourglass/analysis/training";
import { errorRateOf, type Errors } from "./metrics.js";
import { type Evaluation, type Metric, shareMetric } from "./report.js";
import { wordErrors, wordsOf } from "./speech-evaluation.js";
import { findMusic, findPrompts, PIECE_SECONDS, type Prompt } from "./speech-recordings.js";

/** Word error rates that the model card states, of recordings that no threshold was chosen on. */
const STATED: Readonly<Record<string, number>> = { en: 0.074, es: 0.157, fr: 0.164, it: 0.121, ru: 0.168 };
/** The share of recordings whose language is right. */
const STATED_LANGUAGE = 0.97;

/** Of each language and half, the first: all would take half an hour. */
const PROMPTS_MAX = 70;

const DURATION_MS = 60_000;

/**
 * Evaluates speech recognition on recordings of people in five languages, and on music, in a folder of unpacked packages
 * of Debian; .ci/speech makes it. The figures of recordings that thresholds were chosen on are printed, but not judged.
 */
export async function evaluateSpeechOfPeople(modelsDir: string, folder: string): Promise<Evaluation> {
  const temporary = await mkdtemp(path.join(tmpdir(), "people-"));
  try {
    const { path: ffmpeg } = await findFfmpeg({});
    const sounds = new Sounds(ffmpeg, temporary, modelsDir);
    const prompts = await findPrompts(folder);
    const metrics: Metric[] = [];
    for (const tuned of [false, true]) metrics.push(...(await judgePrompts(sounds, prompts, tuned)));
    for (const tuned of [false, true]) metrics.push(await judgeMusic(sounds, folder, tuned));
    const table = [`${sounds.processorShare().toFixed(3)} s of processor time for a second of speech`];
    return { analysis: "speech of people", method: [...sounds.models].sort().join(", "), metrics, table };
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function judgePrompts(sounds: Sounds, prompts: readonly Prompt[], tuned: boolean): Promise<Metric[]> {
  const metrics: Metric[] = [];
  let [right, understood] = [0, 0];
  for (const language of new Set(prompts.map((prompt) => prompt.language))) {
    const errors: Errors[] = [];
    const half = prompts.filter((each) => each.language === language && each.tuned === tuned);
    for (const prompt of half.slice(0, PROMPTS_MAX)) {
      const transcript = await sounds.hear(prompt.file, []);
      const said = plainWords(prompt.text);
      errors.push({ errors: wordErrors(said, plainWords(transcript.text)), length: said.length });
      if (transcript.language !== undefined) understood++;
      if (transcript.language === language) right++;
    }
    const words = errors.reduce((sum, { length }) => sum + length, 0);
    metrics.push({
      name: `word error rate, ${language}, ${errors.length} recordings, ${words} words${tuned ? OF_TUNED : ""}`,
      ...errorRateOf(errors),
      ...(tuned ? {} : { stated: STATED[language] ?? 0 }),
      better: "lower",
    });
  }
  const stated = tuned ? {} : { stated: STATED_LANGUAGE };
  metrics.push(
    shareMetric(`language right, of recordings understood${tuned ? OF_TUNED : ""}`, right, understood, stated),
  );
  return metrics;
}

const OF_TUNED = ", thresholds chosen on them";

/** Words without accents, which the Spanish texts lack, and "чтобы" in one word, which the Russian ones write in two. */
const plainWords = (text: string): string[] =>
  wordsOf(
    text
      .normalize("NFD")
      .replace(/\p{M}/gu, "")
      .replace(/что бы/giu, "чтобы"),
  );

async function judgeMusic(sounds: Sounds, folder: string, tuned: boolean): Promise<Metric> {
  const tunes = await findMusic(folder, (file) => sounds.lengthOf(file));
  const chosen = tunes.filter((tune) => tune.tuned === tuned);
  let invented = 0;
  for (const { file, from } of chosen) {
    const { text } = await sounds.hear(file, ["-ss", String(from), "-t", String(PIECE_SECONDS)]);
    if (wordsOf(text).length > 0) invented++;
  }
  const name = `pieces of music in which words are heard${tuned ? OF_TUNED : ""}`;
  return shareMetric(name, invented, chosen.length, tuned ? {} : { stated: 0, better: "lower" });
}

const run = promisify(execFile);

/** Listens to recordings as users upload them: MP3 with 64 kbit/s. */
class Sounds {
  readonly models = new Set<string>();
  private processorSeconds = 0;
  private spokenSeconds = 0;

  constructor(
    private readonly ffmpeg: string,
    private readonly folder: string,
    private readonly modelsDir: string,
  ) {}

  async hear(file: string, input: readonly string[]): Promise<Transcript> {
    const mp3 = path.join(this.folder, "sound.mp3");
    const source = [...formatOf(file), ...input, "-i", file];
    await run(this.ffmpeg, ["-nostdin", "-v", "error", "-y", ...source, "-ac", "1", "-b:a", "64k", mp3]);
    const { size: sizeBytes } = await stat(mp3);
    const facts = { format: "mp3", sizeBytes, durationMs: DURATION_MS, hasSound: true, hasPictures: false } as const;
    const before = process.cpuUsage();
    const transcript = await transcribe(mp3, facts, { settings: { modelsDir: this.modelsDir, offline: true } });
    const { user, system } = process.cpuUsage(before);
    if (transcript.language !== undefined) {
      this.processorSeconds += (user + system) / 1e6;
      this.spokenSeconds += (sizeBytes * 8) / 64_000;
      this.models.add(`${transcript.model.id} ${transcript.model.version}`);
    }
    return transcript;
  }

  /** Processor time for a second of recordings with speech. */
  processorShare(): number {
    return this.processorSeconds / (this.spokenSeconds || 1);
  }

  async lengthOf(file: string): Promise<{ bytes: number; seconds: number }> {
    const { size: bytes } = await stat(file);
    // 16,000 samples in 8,000 bytes.
    if (file.endsWith(".g722")) return { bytes, seconds: bytes / 8000 };
    // Ffmpeg fails without an output, after it has described the input.
    const { stderr } = await run(this.ffmpeg, ["-i", file]).catch((error: unknown) => error as { stderr: string });
    const [, hours = 0, minutes = 0, seconds = 0] = /Duration: (\d+):(\d+):([\d.]+)/.exec(stderr) ?? [];
    return { bytes, seconds: Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) };
  }
}

const formatOf = (file: string): readonly string[] => (file.endsWith(".g722") ? ["-f", "g722"] : []);
