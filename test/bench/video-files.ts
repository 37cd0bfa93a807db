import { execFile } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { MediaFacts } from "@hourglass/analysis";
import { findFfmpeg } from "@hourglass/analysis/training";

const run = promisify(execFile);
const DEMO = path.join(
  path.dirname(createRequire(import.meta.url).resolve("@vladmandic/face-api/package.json")),
  "demo",
);
const SCENES = 6;
const SCENE_SECONDS = 2;

/** A generated file and the facts from its headers. */
export interface MadeFile {
  file: string;
  facts: MediaFacts;
}

/** Generates videos and recordings in a separate folder. */
export interface FileMaker {
  /** Panned photos of people with cuts between them, and `speech` as sound: 12 s, repeated `times` times. */
  film(times: number, speech: string): Promise<MadeFile>;
  /** Speech of at least this length, in seconds; undefined without espeak-ng. */
  speech(seconds: number): Promise<MadeFile | undefined>;
  /** A tone, for machines without speech synthesis. */
  tone(seconds: number): Promise<MadeFile>;
  remove(): Promise<void>;
}

const SENTENCES =
  "The train to the city was late again, so we missed the meeting. Please send me the report before the end of the week. ";

/** Creates the folder. Throws if ffmpeg is missing. */
export async function createFileMaker(): Promise<FileMaker> {
  const folder = await mkdtemp(path.join(tmpdir(), "hourglass-bench-"));
  const ffmpeg = await findFfmpeg({});
  const make = async (name: string, args: readonly string[], seconds: number): Promise<MadeFile> => {
    const file = path.join(folder, name);
    await run(ffmpeg.path, ["-nostdin", "-v", "error", "-y", ...args, file]);
    const { size: sizeBytes } = await stat(file);
    const isFilm = name.endsWith(".mp4");
    const facts: MediaFacts = {
      format: isFilm ? "mp4" : "mp3",
      sizeBytes,
      durationMs: seconds * 1000,
      hasSound: true,
      hasPictures: isFilm,
    };
    return { file, facts };
  };
  return {
    film: async (times, speech) => {
      const seconds = SCENES * SCENE_SECONDS;
      const base = await make(`scenes.mp4`, sceneArguments(), seconds);
      const inputs = ["-stream_loop", String(times - 1), "-i", base.file, "-stream_loop", "-1", "-i", speech];
      const tracks = ["-map", "0:v", "-map", "1:a", "-c:v", "copy", "-c:a", "aac", "-t", String(seconds * times)];
      return await make(`film-${times}.mp4`, [...inputs, ...tracks], seconds * times);
    },
    speech: async (seconds) => {
      const wave = path.join(folder, "speech.wav");
      const text = SENTENCES.repeat(Math.ceil(seconds / 7));
      try {
        await run("espeak-ng", ["-v", "en-us", "-s", "150", "-w", wave, text]);
      } catch {
        return undefined;
      }
      return await make("speech.mp3", ["-i", wave, "-t", String(seconds), "-b:a", "64k"], seconds);
    },
    tone: (seconds) => make("tone.mp3", ["-f", "lavfi", "-i", `sine=d=${seconds}`, "-b:a", "64k"], seconds),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function sceneArguments(): string[] {
  const numbers = Array.from({ length: SCENES }, (_, i) => i);
  const inputs = numbers.flatMap((i) => [
    "-loop",
    "1",
    "-t",
    String(SCENE_SECONDS),
    "-i",
    path.join(DEMO, `sample${i + 1}.jpg`),
  ]);
  const fill = "scale=960:540:force_original_aspect_ratio=increase,crop=960:540,setsar=1,fps=25";
  const scenes = numbers.map((i) => `[${i}]${fill},crop=854:480:x=50*t:y=30*t[s${i}]`);
  const joined = `${numbers.map((i) => `[s${i}]`).join("")}concat=n=${SCENES}[v]`;
  const codec = ["-map", "[v]", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "veryfast"];
  return [...inputs, "-filter_complex", [...scenes, joined].join(";"), ...codec];
}
