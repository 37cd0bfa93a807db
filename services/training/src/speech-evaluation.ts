import { execFile } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { findFfmpeg, transcribe, type Transcript } from "@hourglass/analysis/training";
import { errorRateOf, type Errors } from "./metrics.js";
import { type Evaluation, shareMetric } from "./report.js";

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

const run = promisify(execFile);

/** Voices of espeak-ng that the sentences are distributed over. */
const VOICES = ["en-us", "en-gb", "en-us+f3", "en-gb+m3"] as const;

/** Sounds without speech, as ffmpeg sources. */
const SPEECHLESS: Readonly<Record<string, string>> = {
  silence: "anullsrc=r=44100",
  "white noise": "anoisesrc=a=0.3:c=white:s=1",
  "brown noise": "anoisesrc=a=0.5:c=brown:s=1",
  hum: "sine=f=120",
  melody: `aevalsrc='0.3*sin(2*PI*t*220*pow(2,mod(floor(t*4)*7,12)/12))*exp(-4*mod(t,0.25))+0.2*sin(2*PI*t*110)'`,
  "melody with drums": [
    "aevalsrc='0.2*sin(2*PI*t*330*pow(2,mod(floor(t*3)*5,12)/12))*exp(-3*mod(t,0.333))",
    "0.15*sin(2*PI*t*82.4*pow(2,mod(floor(t),4)*3/12))",
    "0.3*(random(0)-0.5)*exp(-30*mod(t,0.5))'",
  ].join("+"),
  siren: "aevalsrc='0.4*sin(2*PI*700*t+150*sin(2*PI*0.8*t))'",
};

/** Creates MP3 files with 64 kbit/s. */
interface SoundMaker {
  /** Speaks a sentence; resolves to the file. */
  speak(name: string, text: string, voice: string): Promise<string>;
  /** Half a minute of a sound without speech. */
  play(name: string, source: string): Promise<string>;
  /** Concatenates the files without pauses. */
  join(name: string, files: readonly string[]): Promise<string>;
}

/** Creates files in `folder` with the given ffmpeg, and with espeak-ng from the PATH. */
function createSoundMaker(folder: string, ffmpeg: string): SoundMaker {
  const encode = async (name: string, input: readonly string[]): Promise<string> => {
    const file = path.join(folder, `${name}.mp3`);
    await run(ffmpeg, ["-nostdin", "-v", "error", "-y", ...input, "-ac", "1", "-b:a", "64k", file]);
    return file;
  };
  return {
    async speak(name, text, voice) {
      const wave = path.join(folder, `${name}.wav`);
      await run("espeak-ng", ["-v", voice, "-s", "150", "-w", wave, text]);
      return await encode(name, ["-i", wave]);
    },
    play: (name, source) => encode(name, ["-f", "lavfi", "-t", "30", "-i", source]),
    join: (name, files) => {
      const inputs = files.flatMap((file) => ["-i", file]);
      return encode(name, [...inputs, "-filter_complex", `concat=n=${files.length}:v=0:a=1`]);
    },
  };
}

/** Ordinary English sentences for the evaluation, written before anything was measured. */
const SENTENCES: readonly string[] = [
  "I bought fresh bread and milk at the market this morning.",
  "The train to the city was late again, so we missed the meeting.",
  "My sister loves to read long books about the history of music.",
  "Please send me the report before the end of the week.",
  "We watched the sun go down over the lake and went home happy.",
  "The new phone is fast, but the battery does not last very long.",
  "Can you help me find a good restaurant near the station?",
  "He plays football with his friends every Saturday afternoon.",
  "The children painted the old wooden fence bright green.",
  "It will rain tomorrow, so do not forget to bring an umbrella.",
  "She opened the window because the room was too warm.",
  "Our team won the game in the last minute and everyone cheered.",
  "I am very disappointed with the service at this hotel.",
  "They are planning to travel through Europe next summer.",
  "The doctor told him to drink more water and to sleep longer.",
  "A small dog was barking at the door for half an hour.",
  "This is the best coffee that I have ever had in my life.",
  "The company wants to open three new offices next year.",
  "We should talk about the plan before we spend any money.",
  "Learning a language takes time, but it is worth the effort.",
  "The teacher asked the students to write a short story.",
  "Turn left at the bridge and walk straight to the church.",
  "I forgot my keys at work and had to wait outside.",
  "Nobody knows why the old bridge was closed so suddenly.",
];

/** Similar sentences in other languages, by espeak-ng's voice: none of them should be transcribed as English. */
const FOREIGN: readonly { voice: string; sentence: string }[] = [
  { voice: "de", sentence: "Der Arzt hat ihm gesagt, er solle mehr Wasser trinken und länger schlafen." },
  { voice: "de", sentence: "Niemand weiß, warum die alte Brücke so plötzlich gesperrt wurde." },
  { voice: "fr", sentence: "Le médecin lui a dit de boire plus d'eau et de dormir plus longtemps." },
  { voice: "fr", sentence: "Tournez à gauche au pont et marchez tout droit jusqu'à l'église." },
  { voice: "es", sentence: "El médico le dijo que bebiera más agua y durmiera más tiempo." },
  { voice: "es", sentence: "Gire a la izquierda en el puente y siga recto hasta la iglesia." },
  { voice: "it", sentence: "Nessuno sa perché il vecchio ponte sia stato chiuso così all'improvviso." },
  { voice: "pt", sentence: "A professora pediu aos alunos que escrevessem uma pequena história." },
  { voice: "nl", sentence: "Niemand weet waarom de oude brug zo plotseling werd afgesloten." },
  { voice: "pl", sentence: "Nauczyciel poprosił uczniów o napisanie krótkiego opowiadania." },
  { voice: "ru", sentence: "Врач сказал ему пить больше воды и дольше спать." },
  { voice: "tr", sentence: "Öğretmen öğrencilerden kısa bir hikaye yazmalarını istedi." },
];

/** Words in the form in which they are compared: without marks and capitals, numbers up to twenty spelled out. */
export function wordsOf(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replaceAll("\u2019", "'")
    .replace(/[^\p{L}\p{N}']+/gu, " ");
  return plain
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => NUMBERS[Number(word)] ?? word);
}

const NUMBERS: readonly string[] = [
  ...["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
  ...["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"],
];

/** The word edit distance between transcript and spoken text. */
export function wordErrors(said: readonly string[], heard: readonly string[]): number {
  let above = heard.map((_, i) => i + 1);
  for (const [row, word] of said.entries()) {
    let left = row + 1;
    let corner = row;
    const current = heard.map((other, column) => {
      left = Math.min(above[column]! + 1, left + 1, corner + (word === other ? 0 : 1));
      corner = above[column]!;
      return left;
    });
    above = current;
  }
  return above.at(-1) ?? said.length;
}
