import path from "node:path";
import { createMediaPool, type MediaPool, VISUAL_ANALYSES } from "@hourglass/analysis";
import type { Measurement } from "./measure.js";
import { descendantsTook } from "./process-tree.js";
import { createFileMaker, type FileMaker, type MadeFile } from "./video-files.js";

const FILM_TARGET = 3;
const SPEECH_TARGET = 10;
const LONG_TIMES = 50;
const SPEECH_SECONDS = 120;

/** Speed of the analysis of videos and recordings as a multiple of playback, once models are loaded. */
export async function measureVideoAndSpeech(): Promise<Measurement[]> {
  const modelsDir = path.resolve(process.env["MODELS_DIR"] ?? "data/models");
  const environment = { PATH: process.env["PATH"] ?? "" };
  const pool = createMediaPool({ modelsDir, offline: true, media: { environment } });
  const files = await createFileMaker();
  try {
    return await measure(pool, files);
  } finally {
    await pool.close();
    await files.remove();
  }
}

async function measure(pool: MediaPool, files: FileMaker): Promise<Measurement[]> {
  const speech = await files.speech(SPEECH_SECONDS);
  const sound = speech ?? (await files.tone(SPEECH_SECONDS));
  const short = await files.film(1, sound.file);
  const long = await files.film(LONG_TIMES, sound.file);
  // Excludes the loading of models from the measurement.
  await timesFaster(pool, short);
  const names = `five analyses, words and ${speech === undefined ? "no speech (espeak-ng is missing)" : "speech"}`;
  const rows = [
    row(`12 s video, ${names}`, await timesFaster(pool, short), FILM_TARGET),
    row(`10 min video, ${names}`, await timesFaster(pool, long), FILM_TARGET),
  ];
  if (speech !== undefined) rows.push(row("2 min of speech", await timesFaster(pool, speech), SPEECH_TARGET));
  return rows;
}

const row = (name: string, { factor, note, took }: Pace, target: number): Measurement => ({
  name: `${name}: times faster than it plays${note}`,
  value: `${factor.toFixed(1)}${took}`,
  baseline: "1",
  ratio: factor,
  target: `≥ ${target}`,
});

/** Number of processors that the targets assume. */
const CORES = 2;

interface Pace {
  factor: number;
  /** The possible speed on an idle machine, and the memory: distinguishes a busy machine from slow code. */
  took: string;
  /** Failed parts. */
  note: string;
}

async function timesFaster(pool: MediaPool, { file, facts }: MadeFile): Promise<Pace> {
  const analyses = facts.hasPictures ? VISUAL_ANALYSES : [];
  const before = await descendantsTook();
  const begin = performance.now();
  const task = {
    file,
    facts,
    analyses,
    readsText: facts.hasPictures,
    transcribes: true,
    gallery: { faces: [], marks: [] },
  };
  const { errors } = await pool.analyze(task);
  const seconds = (facts.durationMs ?? 0) / 1000;
  const factor = (seconds * 1000) / (performance.now() - begin);
  const after = await descendantsTook();
  const missing = Object.keys(errors);
  const note = missing.length === 0 ? "" : ` (without ${missing.join(", ")})`;
  if (after === undefined) return { factor, note, took: "" };
  const cpu = after.cpuSeconds - (before?.cpuSeconds ?? 0);
  const took = ` (${cpu.toFixed(1)} s of processor: ${((seconds * CORES) / cpu).toFixed(1)} on ${CORES}; ${after.peakMb.toFixed(0)} MB)`;
  return { factor, note, took };
}
