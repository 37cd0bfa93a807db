import { execFile } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { findFfmpeg } from "../ffmpeg.js";
import type { MediaFacts } from "../probe/facts.js";

const run = promisify(execFile);

/** A folder for videos and audio files made in a test. */
export interface MediaFolder {
  /**
   * Runs ffmpeg with the arguments, separated by spaces, followed by the file's path; keeps the times of frames.
   * Returns the path.
   */
  make(name: string, args: string): Promise<string>;
  remove(): Promise<void>;
}

/** Makes the folder. */
export async function createMediaFolder(): Promise<MediaFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), "media-"));
  const ffmpeg = await findFfmpeg({});
  return {
    async make(name, args) {
      const file = path.join(folder, name);
      await run(ffmpeg.path, [
        "-nostdin",
        "-v",
        "error",
        "-y",
        ...args.split(" ").filter(Boolean),
        ...ffmpeg.everyFrame,
        file,
      ]);
      return file;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The facts that the headers of a video without sound would contain. */
export async function factsOf(file: string, durationMs: number): Promise<MediaFacts> {
  const { size: sizeBytes } = await stat(file);
  return { format: "mp4", sizeBytes, durationMs, hasSound: false, hasPictures: true };
}
