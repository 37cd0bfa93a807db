import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { findMusic, findPrompts, PIECE_SECONDS } from "./speech-recordings.js";

it("takes sentences that were recorded, and neither digits nor sounds", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "prompts-"));
  try {
    const speakers = { en: "en_US_f_Allison", es: "es_MX_f_Allison", fr: "fr_CA_f_June", it: "it_IT_m_Carlo" };
    const lines = [
      "; a comment",
      "there: Somebody speaks here and now",
      "there-too: Somebody else speaks here, too",
      "short: Good bye",
      "digit: Press 1 for the menu",
      "absent: Nobody has recorded this one",
      "beep: the sound of a beep",
    ];
    for (const [language, speaker] of Object.entries({ ...speakers, ru: "ru_RU_f_IvrvoiceRU" })) {
      const sounds = path.join(folder, "usr/share/asterisk/sounds", speaker);
      const texts = path.join(folder, `usr/share/doc/asterisk-core-sounds-${language}`);
      await Promise.all([mkdir(sounds, { recursive: true }), mkdir(texts, { recursive: true })]);
      for (const name of ["there", "there-too", "short", "digit", "beep"])
        await writeFile(path.join(sounds, `${name}.g722`), "");
      await writeFile(path.join(texts, `core-sounds-${language}.txt.gz`), gzipSync(lines.join("\n")));
    }
    const prompts = await findPrompts(folder);
    expect(prompts.filter(({ language }) => language === "es").map(({ file }) => path.basename(file))).toEqual([
      "there.g722",
      "there-too.g722",
    ]);
    // The same prompts serve the same purpose in all languages.
    const halves = new Set(prompts.map(({ file, tuned }) => `${path.basename(file)} ${tuned}`));
    expect(halves.size).toBe(2);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it("cuts music into whole pieces, and leaves noises out", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "music-"));
  try {
    for (const [place, name] of [
      ["usr/share/asterisk/moh", "one.g722"],
      ["usr/share/games/frozen-bubble/snd", "two.ogg"],
      ["usr/share/games/lincity-ng/music/default", "noise.ogg"],
    ] as const) {
      await mkdir(path.join(folder, place), { recursive: true });
      await writeFile(path.join(folder, place, name), "");
    }
    const lengthOf = (file: string) =>
      Promise.resolve({ bytes: file.endsWith("noise.ogg") ? 1000 : 1_000_000, seconds: 2.5 * PIECE_SECONDS });
    const tunes = await findMusic(folder, lengthOf);
    expect(tunes.map(({ file, from, tuned }) => [path.basename(file), from, tuned])).toEqual([
      ["one.g722", 0, true],
      ["one.g722", PIECE_SECONDS, true],
      ["two.ogg", 0, false],
      ["two.ogg", PIECE_SECONDS, false],
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
