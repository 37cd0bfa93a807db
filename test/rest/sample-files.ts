import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { randomUUID } from "node:crypto";

const require = createRequire(import.meta.url);
const run = promisify(execFile);

/** Path of a photo of people from a package, 1 to 6; JPG. */
function photoPath(number: number): string {
  return path.join(path.dirname(require.resolve("@vladmandic/face-api/package.json")), "demo", `sample${number}.jpg`);
}

export function photo(number: number): Promise<Buffer> {
  return readFile(photoPath(number));
}

/** The output of ffmpeg for the arguments: a file of that format. */
export async function made(format: "mp3" | "mp4" | "gif" | "png", ...args: string[]): Promise<Buffer> {
  const { path: ffmpeg } = require("@ffmpeg-installer/ffmpeg") as { path: string };
  const file = path.join(tmpdir(), `hourglass-sample-${randomUUID()}.${format}`);
  try {
    await run(ffmpeg, ["-v", "error", "-nostdin", ...args, file]);
    return await readFile(file);
  } finally {
    await rm(file, { force: true });
  }
}

/** Two photos of people for two seconds each, with a tone. */
export function shortVideo(): Promise<Buffer> {
  const still = (number: number) => ["-loop", "1", "-t", "2", "-i", photoPath(number)];
  const scaled = (input: number) => `[${input}:v]scale=640:480,setsar=1,fps=10[v${input}]`;
  const graph = `${scaled(0)};${scaled(1)};[v0][v1]concat=n=2:v=1:a=0[v]`;
  const tone = ["-f", "lavfi", "-t", "4", "-i", "sine=frequency=440"];
  const inputs = [...still(1), ...still(2), ...tone];
  return made("mp4", ...inputs, "-filter_complex", graph, "-map", "[v]", "-map", "2:a", "-pix_fmt", "yuv420p");
}

/** Two seconds of a tone. */
export function tone(): Promise<Buffer> {
  return made("mp3", "-f", "lavfi", "-t", "2", "-i", "sine=frequency=440", "-b:a", "64k");
}

/** A small picture in one color. */
export function plainPicture(color = "blue"): Promise<Buffer> {
  return made("png", "-f", "lavfi", "-i", `color=${color}:s=64x48`, "-frames:v", "1");
}

/** Two alternating colors, looping endlessly. */
export function animation(): Promise<Buffer> {
  return made("gif", "-f", "lavfi", "-t", "1", "-i", "testsrc=s=160x120:r=4");
}
