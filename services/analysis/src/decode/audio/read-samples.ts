import type { MediaFacts } from "../../formats/media-facts.js";
import { UnreadableFileError } from "../file-errors.js";
import { type Codecs, inBrackets, inputArguments, listenForCodecs } from "../video/ffmpeg-input.js";
import { runFfmpeg } from "../video/ffmpeg-run.js";
import { type FfmpegSettings, findFfmpeg } from "../video/ffmpeg.js";

export interface SoundOptions {
  settings: FfmpegSettings;
  signal?: AbortSignal | undefined;
}

/** Sample rate of `readSamples` in Hz. */
export const SAMPLE_RATE = 16_000;

/** Seconds read beyond the declared end of a file, for files that declare less than they contain. */
const BEYOND_SECONDS = 30;

/**
 * Reads the first audio track of an MP3 or MP4 file: 16 kHz, mono, -1 to 1, in chunks as they arrive. Sample 0 is the
 * start of the file; gaps and a late start of the track are filled with silence. Yields nothing for a file without
 * sound. The decodable part of a damaged track is yielded; throws UnreadableFileError if nothing can be decoded, and
 * FfmpegMissingError.
 */
export async function* readSamples(
  file: string,
  facts: MediaFacts,
  { settings, signal }: SoundOptions,
): AsyncGenerator<Float32Array> {
  if (!facts.hasSound) return;
  const ffmpeg = await findFfmpeg(settings);
  const codecs = listenForCodecs();
  const seconds = (facts.durationMs ?? 0) / 1000 + BEYOND_SECONDS;
  const args = [
    ...inputArguments(file, facts),
    ...["-map", "0:a:0", "-vn", "-sn", "-dn", "-t", String(seconds), "-ac", "1"],
    ...["-af", `aresample=${SAMPLE_RATE}:async=1:first_pts=0`, "-f", "f32le", "pipe:1"],
  ];
  const run = runFfmpeg(ffmpeg, args, { signal, onLine: codecs.hear });
  let count = 0;
  let rest = new Uint8Array(0);
  for await (const piece of run.output) {
    const bytes = Buffer.concat([rest, piece]);
    const whole = bytes.byteLength - (bytes.byteLength % Float32Array.BYTES_PER_ELEMENT);
    rest = bytes.subarray(whole);
    count += whole;
    // A copy, because a Float32Array needs an aligned offset.
    if (whole > 0) yield new Float32Array(Uint8Array.from(bytes.subarray(0, whole)).buffer);
  }
  if (count > 0) return;
  // The log may arrive after the end of the sound, and names the codec.
  await run.ended;
  throw unreadable(codecs);
}

function unreadable(codecs: Codecs): UnreadableFileError {
  const codec = codecs.name("Audio");
  return new UnreadableFileError(
    codecs.unknown() && codec !== undefined
      ? `The sound is encoded with ${codec}, which cannot be decoded here: convert it to AAC or MP3, and upload that.`
      : `Nothing of the sound${inBrackets(codec)} can be decoded: it is damaged, or encoded in a way that is not known here. Export it again, as AAC or MP3, and upload that.`,
  );
}
