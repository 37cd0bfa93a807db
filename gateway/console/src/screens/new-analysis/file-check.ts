import type { Server } from "../../data/server.js";
import { analysisWords } from "../../words/analyses.js";
import { kindOf, LOOKED_AT_BYTES, pictureSize, type FileKind } from "./file-kind.js";

type Limits = Server["limits"];

/** How long a player may take to tell the length of a file. In milliseconds. */
const PLAYER_MS = 4_000;

/** Why a file would be refused, as far as the browser can know before the upload. */
export async function refusalOf(file: File, limits: Limits): Promise<string | undefined> {
  const { refusals } = analysisWords.create;
  if (file.size > limits.upload_bytes) return refusals.tooLarge(file.size, limits.upload_bytes);
  let head: Uint8Array;
  try {
    head = new Uint8Array(await file.slice(0, LOOKED_AT_BYTES).arrayBuffer());
  } catch {
    return refusals.unreadable; // moved meanwhile, or a folder
  }
  if (file.size === 0) return refusals.empty;
  const kind = kindOf(head);
  if (typeof kind === "object") return kind.other === "GIF" ? refusals.gif : refusals.other(kind.other);
  // Sound may begin with bytes that are none; the server finds out.
  if (kind === "unknown") return /\.mp3$/i.test(file.name) ? undefined : refusals.unknown;
  return kind === "png" || kind === "jpg" ? tooManyPixels(head, kind, limits) : await tooLongToPlay(file, kind, limits);
}

function tooManyPixels(head: Uint8Array, kind: FileKind, limits: Limits): string | undefined {
  const size = pictureSize(head, kind);
  const pixels = size === undefined ? 0 : size.width * size.height;
  if (pixels <= limits.image_pixels) return undefined;
  return analysisWords.create.refusals.pixels(pixels, limits.image_pixels);
}

async function tooLongToPlay(file: File, kind: "mp3" | "mp4", limits: Limits): Promise<string | undefined> {
  const seconds = await secondsOf(file, kind);
  if (seconds === undefined || !Number.isFinite(seconds) || seconds <= limits.media_seconds + 1) return undefined;
  return analysisWords.create.refusals.seconds(seconds, limits.media_seconds);
}

/** The length of sound or video; undefined if this browser cannot tell. */
function secondsOf(file: File, kind: "mp3" | "mp4"): Promise<number | undefined> {
  const player = document.createElement(kind === "mp3" ? "audio" : "video");
  const url = URL.createObjectURL(file);
  return new Promise<number | undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), PLAYER_MS);
    const end = (seconds: number | undefined): void => {
      clearTimeout(timer);
      resolve(seconds);
    };
    player.preload = "metadata";
    player.onloadedmetadata = () => end(player.duration);
    player.onerror = () => end(undefined);
    player.src = url;
  }).finally(() => {
    player.removeAttribute("src");
    URL.revokeObjectURL(url);
  });
}
