import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";

/** A recording of a person who reads a sentence aloud. */
export interface Prompt {
  /** ISO 639-1. */
  language: string;
  file: string;
  text: string;
  /** Whether thresholds were chosen on it. */
  tuned: boolean;
}

/** Folders of the packages asterisk-core-sounds-*-g722 of Debian, one speaker per language. */
const SPEAKERS: Readonly<Record<string, string>> = {
  en: "en_US_f_Allison",
  es: "es_MX_f_Allison",
  fr: "fr_CA_f_June",
  it: "it_IT_m_Carlo",
  ru: "ru_RU_f_IvrvoiceRU",
};

/** Prompts whose texts describe a sound, and texts that a mistake has merged with the next ones. */
const SOUNDS = /beep|tone|^confbridge-(?:join|leave)$/;
const MERGED = /[\w-]+: /;

/** Shorter ones are words rather than sentences. */
const WORDS_MIN = 4;

/**
 * The prompts of the packages that were unpacked in a folder: those of at least four words, without digits and notes of
 * the translator. Half of them, by a hash of their names, so that they are the same in all languages, were used to choose
 * thresholds.
 */
export async function findPrompts(folder: string): Promise<Prompt[]> {
  const prompts: Prompt[] = [];
  for (const [language, speaker] of Object.entries(SPEAKERS)) {
    const sounds = path.join(folder, "usr/share/asterisk/sounds", speaker);
    const there = new Set(await readdir(sounds, { recursive: true }));
    const name = `core-sounds-${language}.txt.gz`;
    const texts = await readFile(path.join(folder, `usr/share/doc/asterisk-core-sounds-${language}`, name));
    for (const line of gunzipSync(texts).toString("utf8").split("\n")) {
      const [, prompt = "", text = ""] = /^([\w/-]+):\s*(.+)$/.exec(line.trim()) ?? [];
      const words = text.match(/[\p{L}\p{N}_']+/gu) ?? [];
      if (
        SOUNDS.test(prompt) ||
        MERGED.test(text) ||
        words.length < WORDS_MIN ||
        /[\d[\]<>()*{}\uFFFD/?]/.test(text.replace(/\?$/, ""))
      )
        continue;
      if (!there.has(`${prompt}.g722`)) continue;
      prompts.push({ language, file: path.join(sounds, `${prompt}.g722`), text, tuned: isTuned(prompt) });
    }
  }
  return prompts;
}

const isTuned = (name: string): boolean => (createHash("sha256").update(name).digest()[0] ?? 0) % 2 === 0;

/** A recording of music. */
export interface Tune {
  file: string;
  /** In seconds. */
  from: number;
  tuned: boolean;
}

/** Packages of music without words: pieces of the first were used to choose thresholds. */
const MUSIC: readonly { folder: string; tuned: boolean }[] = [
  { folder: "usr/share/asterisk/moh", tuned: true },
  { folder: "usr/share/games/frozen-bubble/snd", tuned: false },
  { folder: "usr/share/games/lincity-ng/music/default", tuned: false },
];
/** Smaller files are noises. */
const MUSIC_BYTES_MIN = 500_000;

/** Seconds of a piece, and how many of each file. */
export const PIECE_SECONDS = 20;

/** Pieces of 20 s of the packages of music that were unpacked in a folder. */
export async function findMusic(
  folder: string,
  lengthOf: (file: string) => Promise<{ bytes: number; seconds: number }>,
): Promise<Tune[]> {
  const tunes: Tune[] = [];
  for (const { folder: place, tuned } of MUSIC) {
    const names = (await readdir(path.join(folder, place))).filter((name) => /\.(?:ogg|g722)$/.test(name)).sort();
    for (const name of names) {
      const file = path.join(folder, place, name);
      const { bytes, seconds } = await lengthOf(file);
      if (bytes < MUSIC_BYTES_MIN) continue;
      for (let from = 0; from + PIECE_SECONDS <= seconds; from += PIECE_SECONDS) tunes.push({ file, from, tuned });
    }
  }
  return tunes;
}
