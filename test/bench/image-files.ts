import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { MediaFacts } from "@hourglass/analysis";
import { inspectFile } from "@hourglass/analysis/formats";
import { findFfmpeg } from "@hourglass/analysis/training";

const run = promisify(execFile);
const DEMO = path.join(
  path.dirname(createRequire(import.meta.url).resolve("@vladmandic/face-api/package.json")),
  "demo",
);
const SAMPLES = 6;
const WIDTHS = [640, 720, 768, 800, 900, 960, 1024, 1080, 1200, 1280] as const;
const WORDS = [
  "Grand opening",
  "SALE 50% off",
  "Happy birthday",
  "Summer 2026",
  "Free coffee",
  "Town hall",
  "Exit",
] as const;
const LIMITS = { imagePixelsMax: 40_000_000, durationMsMax: 0 };

/** A generated picture and the facts from its headers. */
export interface MadePicture {
  file: string;
  facts: MediaFacts;
}

/** Generates JPGs from photos of people in a separate folder. */
export interface PictureMaker {
  /** The unmodified photos, 640 to 1,280 pixels wide. */
  photos(): Promise<MadePicture[]>;
  /**
   * Cropped, mirrored, of many sizes, and with words on every second one if a font is available; each number gives a
   * different one.
   */
  variant(number: number): Promise<MadePicture>;
  /** Whether words can be drawn. */
  readonly draws: boolean;
  remove(): Promise<void>;
}

/** Creates the folder. Throws if ffmpeg is missing. */
export async function createPictureMaker(): Promise<PictureMaker> {
  const folder = await mkdtemp(path.join(tmpdir(), "hourglass-bench-"));
  const ffmpeg = await findFfmpeg({});
  const make = async (name: string, sample: number, filters: readonly string[]): Promise<MadePicture> => {
    const file = path.join(folder, `${name}.jpg`);
    const input = ["-i", path.join(DEMO, `sample${(sample % SAMPLES) + 1}.jpg`)];
    const output = ["-vf", filters.join(","), "-frames:v", "1", "-q:v", "3", file];
    await run(ffmpeg.path, ["-nostdin", "-v", "error", "-y", ...input, ...output]);
    return { file, facts: await inspectFile(file, LIMITS) };
  };
  const draws = await make("words", 0, [...wordFilters(0)]).then(
    () => true,
    () => false,
  );
  return {
    draws,
    photos: () =>
      Promise.all(Array.from({ length: SAMPLES }, (_, i) => make(`photo-${i}`, i, [`scale=${640 + i * 128}:-2`]))),
    variant: (number) => make(`variant-${number}`, number, variantFilters(number, draws)),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function variantFilters(number: number, draws: boolean): string[] {
  const part = 1 - (number % 7) * 0.07;
  const cut = `crop=iw*${part.toFixed(2)}:ih*${(1 - (number % 5) * 0.08).toFixed(2)}`;
  const size = `scale=${WIDTHS[(number * 7 + Math.floor(number / 10)) % WIDTHS.length]!}:-2`;
  return [cut, ...(number % 2 === 0 ? [] : ["hflip"]), size, ...(draws && number % 4 < 2 ? wordFilters(number) : [])];
}

function wordFilters(number: number): string[] {
  return [0, 1, 2].map((line) => {
    const word = WORDS[(number + line) % WORDS.length]!.replace("%", "\\\\%");
    const place = `x=w*0.${(number % 3) + 1}:y=h*0.${(line * 3 + number) % 9}`;
    return `drawtext=text='${word}':fontcolor=${line === 1 ? "black" : "white"}:fontsize=h/${10 + (number % 8)}:${place}`;
  });
}
