import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { findFfmpeg, type Transcript, transcribe } from "@hourglass/analysis/speech";
import { type Evaluation, shareMetric } from "../evaluation.js";
import { errorRateOf, type Errors } from "../intervals.js";
import { FOREIGN, SENTENCES } from "./sentences.js";
import { createSoundMaker, type SoundMaker, SPEECHLESS, VOICES } from "./sounds.js";
import { wordErrors, wordsOf } from "./word-errors.js";

/** Word error rate that the model card states. */
const STATED = 0.12;
/** Share of sentences in other languages that are transcribed as English. */
const STATED_FOREIGN = 0.1;
/** Longer than any of the sounds. */
const DURATION_MS = 300_000;

/**
 * Evaluates speech recognition: word error rate of sentences spoken by espeak-ng, separately and in one recording
 * without pauses, transcripts of sounds without speech, and transcripts of other languages. Prints nothing; throws if
 * espeak-ng or the model is missing.
 */
export async function evaluateSpeech(modelsDir: string): Promise<Evaluation> {
  const folder = await mkdtemp(path.join(tmpdir(), "speech-"));
  try {
    const { path: ffmpeg } = await findFfmpeg({});
    return await judge(createSoundMaker(folder, ffmpeg), listenWith(modelsDir));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Listen = (file: string) => Promise<Transcript>;

const listenWith =
  (modelsDir: string): Listen =>
  async (file) => {
    const { size: sizeBytes } = await stat(file);
    const facts = { format: "mp3", sizeBytes, durationMs: DURATION_MS, hasSound: true, hasPictures: false } as const;
    return await transcribe(file, facts, { settings: { modelsDir, offline: true } });
  };

async function judge(sounds: SoundMaker, listen: Listen): Promise<Evaluation> {
  const files: string[] = [];
  const errors: Errors[] = [];
  let method = "";
  for (const [i, sentence] of SENTENCES.entries()) {
    const file = await sounds.speak(`sentence-${i}`, sentence, VOICES[i % VOICES.length] ?? VOICES[0]);
    files.push(file);
    const { text, model } = await listen(file);
    method = `${model.id} ${model.version}`;
    const said = wordsOf(sentence);
    errors.push({ errors: wordErrors(said, wordsOf(text)), length: said.length });
  }
  const together = await listen(await sounds.join("together", files));
  const spoken = wordsOf(SENTENCES.join(" "));
  const all = wordErrors(spoken, wordsOf(together.text));
  const invented = await soundsTakenForSpeech(sounds, listen);
  const taken = await foreignTakenForEnglish(sounds, listen);
  return {
    analysis: "speech",
    method,
    metrics: [
      {
        name: `word error rate, ${SENTENCES.length} sentences, ${VOICES.length} voices`,
        ...errorRateOf(errors),
        stated: STATED,
        better: "lower",
      },
      shareMetric("word error rate, all in one recording", all, spoken.length, { stated: STATED, better: "lower" }),
      shareMetric("sounds without speech in which words are heard", invented, Object.keys(SPEECHLESS).length, {
        stated: 0,
        better: "lower",
      }),
      shareMetric("sentences in other languages taken for English", taken, FOREIGN.length, {
        stated: STATED_FOREIGN,
        better: "lower",
      }),
    ],
  };
}

async function soundsTakenForSpeech(sounds: SoundMaker, listen: Listen): Promise<number> {
  let taken = 0;
  for (const [name, source] of Object.entries(SPEECHLESS)) {
    const { text } = await listen(await sounds.play(name.replaceAll(" ", "-"), source));
    if (wordsOf(text).length > 0) taken++;
  }
  return taken;
}

async function foreignTakenForEnglish(sounds: SoundMaker, listen: Listen): Promise<number> {
  let taken = 0;
  for (const [i, { voice, sentence }] of FOREIGN.entries()) {
    const { text } = await listen(await sounds.speak(`foreign-${i}`, sentence, voice));
    if (text !== "") taken++;
  }
  return taken;
}
