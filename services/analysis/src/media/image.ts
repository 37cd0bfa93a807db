import { readFile } from "node:fs/promises";
import type { OutputInfo, Sharp } from "sharp";
import type { Frame } from "../types.js";
import { createFrame } from "./frame.js";
import { type MediaFacts, UnreadableFileError } from "./probe/facts.js";
import { loadSharp } from "./sharp.js";

/** Longer side of a frame in pixels. */
const FRAME_SIDE_MAX = 1600;

/** Longer side of an animation's frames, which are all in memory at the same time. */
const ANIMATION_SIDE_MAX = 800;
const ANIMATION_FRAMES_MAX = 24;
/** More than two frames a second add almost nothing. */
const ANIMATION_STEP_MS = 500;
/** Browsers show a frame with a delay below 20 ms for this long. */
const HASTY_FRAME_MS = 100;
const HASTY_DELAY_MS = 20;

/** A second check after that of the headers. */
const PIXELS_MAX = 40_000_000;

/**
 * Messages of libjpeg about coded data that are damaged or incomplete: in JPG, any bits decode to some picture. Its
 * other warnings are about tables and markers of some cameras; extra bytes are harmless, too, if they are few, or come
 * before a marker that follows no coded data.
 */
const DAMAGED_JPG =
  /bad Huffman code|premature end|instead of RST|\d{3} extraneous bytes before marker 0x(?:c4|d[\da])|Inconsistent progression/i;
/** Message about bytes that are missing, be they of the picture or only of the marker of its end. */
const WITHOUT_END = /premature end of JPEG image/i;
const END_OF_JPG = Buffer.from([0xff, 0xd9]);

/**
 * The picture of a PNG, JPG or GIF (the first of a GIF) as a frame: upright by its EXIF orientation, 8-bit sRGB, what is
 * transparent on a plain ground that shows the rest, longer side at most 1600 pixels. Rejects with UnreadableFileError
 * if its data are damaged.
 */
export const decodeImage = async (file: string, facts: MediaFacts): Promise<Frame> => {
  const decoded = await decodePage({ file, facts, page: 0, sideMax: FRAME_SIDE_MAX });
  return toFrame(decoded, { ground: chooseBackground(decoded), atMs: 0 });
};

/**
 * Frames of an animation in order, all on the same ground, spread over its duration: at most two a second, and at most
 * 24 in all.
 */
export const decodeAnimation = async (file: string, facts: MediaFacts): Promise<Frame[]> => {
  const frames: Frame[] = [];
  let ground: number | undefined;
  for (const { page, atMs } of pickPages(await delaysOf(file, facts))) {
    const decoded = await decodePage({ file, facts, page, sideMax: ANIMATION_SIDE_MAX });
    ground ??= chooseBackground(decoded);
    frames.push(toFrame(decoded, { ground, atMs }));
  }
  return frames;
};

interface Page {
  /** Path, or bytes. */
  file: string | Uint8Array;
  facts: MediaFacts;
  page: number;
  sideMax: number;
}

const decodePage = (page: Page): Promise<Bitmap> =>
  withDecodingErrors(async () => {
    const { data, info } = await pixelsOf(page);
    const { width, height, channels } = info;
    return { width, height, channels, data };
  });

const toFrame = (bitmap: Bitmap, { ground, atMs }: { ground: number; atMs: number }): Frame =>
  createFrame({ width: bitmap.width, height: bitmap.height, rgb: flatten(bitmap, ground), atMs });

interface Decoded {
  data: Buffer;
  info: OutputInfo;
}

/** A JPG that lacks only the marker of its end, or what follows its picture, is decoded as if it had that marker. */
const pixelsOf = async (page: Page): Promise<Decoded> => {
  if (page.facts.format !== "jpg") return render(page, "error");
  try {
    return await pixelsOfJpg(page);
  } catch (error) {
    if (!(error instanceof Error) || !WITHOUT_END.test(error.message) || typeof page.file !== "string") throw error;
    return pixelsOfJpg({ ...page, file: Buffer.concat([await readFile(page.file), END_OF_JPG]) });
  }
};

const pixelsOfJpg = async (page: Page): Promise<Decoded> => {
  try {
    return await render(page, "warning");
  } catch (error) {
    if (error instanceof Error && DAMAGED_JPG.test(error.message)) throw error;
    return render(page, "error");
  }
};

const render = async ({ file, facts, page, sideMax }: Page, failOn: FailOn): Promise<Decoded> =>
  (await openImage(file, facts, { page, failOn }))
    .autoOrient()
    .resize({ width: sideMax, height: sideMax, fit: "inside", withoutEnlargement: true })
    .toColourspace("srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });

/** The severity from which sharp rejects a picture. */
type FailOn = "error" | "warning";

const openImage = async (
  file: string | Uint8Array,
  facts: MediaFacts,
  how: { page: number; failOn: FailOn },
): Promise<Sharp> => {
  const sharp = await loadSharp();
  return sharp(file, {
    limitInputPixels: Math.max(PIXELS_MAX, (facts.width ?? 0) * (facts.height ?? 0)),
    failOn: how.failOn,
    sequentialRead: true,
    ...(facts.format === "gif" ? { page: how.page, pages: 1 } : {}),
  });
};

const delaysOf = (file: string, facts: MediaFacts): Promise<number[]> =>
  withDecodingErrors(async () => {
    const { pages = 1, delay = [] } = await (await openImage(file, facts, { page: 0, failOn: "error" })).metadata();
    const all = delay.length > 0 ? delay : new Array<number>(pages).fill(0);
    return all.map((ms) => (ms < HASTY_DELAY_MS ? HASTY_FRAME_MS : ms));
  });

/** The pages to decode, and the time at which each is shown. */
const pickPages = (delays: readonly number[]): { page: number; atMs: number }[] => {
  const total = delays.reduce((sum, ms) => sum + ms, 0);
  const step = Math.max(ANIMATION_STEP_MS, total / ANIMATION_FRAMES_MAX);
  const picked: { page: number; atMs: number }[] = [];
  let atMs = 0;
  delays.forEach((ms, page) => {
    if (atMs >= picked.length * step && picked.length < ANIMATION_FRAMES_MAX) picked.push({ page, atMs });
    atMs += ms;
  });
  return picked;
};

const withDecodingErrors = async <V>(work: () => Promise<V>): Promise<V> => {
  try {
    return await work();
  } catch (error) {
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw new UnreadableFileError(`The file could not be decoded: ${reason}`, { cause: error });
  }
};

/** Decoded pixels, rows from top to bottom. */
interface Bitmap {
  width: number;
  height: number;
  /** 1 is gray, 2 gray and alpha, 3 RGB, and 4 RGB and alpha; 8 bits each. */
  channels: number;
  data: Uint8Array;
}

const WHITE = 255;
const BLACK = 0;
const GRAY = 128;
/** From this alpha on a pixel belongs to what is shown. */
const SHOWN_ALPHA = 128;
/** Difference in lightness, of 255, below which something cannot be distinguished from the ground. */
const CONTRAST = 64;
/** Share of the outline that may be lost on white, on which most viewers show transparent pictures. */
const LOST_MAX = 0.3;

/**
 * The lightness of the ground (0 black to 255 white) on which the outline of what is not transparent is seen best: white
 * unless much of it would be lost there, as of white words; then black, or gray for what is both light and dark.
 */
function chooseBackground(bitmap: Bitmap): number {
  if (isOpaque(bitmap)) return WHITE;
  const outline = outlineHistogram(bitmap);
  const total = outline.reduce((sum, count) => sum + count, 0);
  const lostOn = (ground: number): number =>
    outline.reduce((sum, count, lightness) => (Math.abs(lightness - ground) < CONTRAST ? sum + count : sum), 0);
  if (lostOn(WHITE) <= LOST_MAX * total) return WHITE;
  return [WHITE, BLACK, GRAY].reduce((best, ground) => (lostOn(ground) < lostOn(best) ? ground : best));
}

function isOpaque({ channels, data }: Bitmap): boolean {
  if (channels % 2 === 1) return true;
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] !== 255) return false;
  return true;
}

/** How many borders between a shown and a transparent pixel have each lightness, that of the shown one. */
function outlineHistogram({ width, height, channels, data }: Bitmap): Uint32Array {
  const outline = new Uint32Array(256);
  const [green, blue] = channels < 3 ? [0, 0] : [1, 2];
  const add = (at: number): void => {
    const lightness = 0.2126 * data[at]! + 0.7152 * data[at + green]! + 0.0722 * data[at + blue]!;
    outline[Math.round(lightness)]! += 1;
  };
  const row = width * channels;
  for (let y = 0, at = channels - 1; y < height; y++) {
    let left = data[at]! >= SHOWN_ALPHA;
    for (let x = 0; x < width; x++, at += channels) {
      const shown = data[at]! >= SHOWN_ALPHA;
      const pixel = at - channels + 1;
      if (shown !== left) add(shown ? pixel : pixel - channels);
      if (y > 0 && shown !== data[at - row]! >= SHOWN_ALPHA) add(shown ? pixel : pixel - row);
      left = shown;
    }
  }
  return outline;
}

/** The pixels on a ground of this lightness as RGB; opaque ones with three channels are returned as they are. */
function flatten({ width, height, channels, data }: Bitmap, ground: number): Uint8Array {
  if (channels === 3) return data;
  const rgb = new Uint8Array(width * height * 3);
  const [green, blue] = channels > 2 ? [1, 2] : [0, 0];
  const alpha = channels % 2 === 0 ? channels - 1 : undefined;
  for (let from = 0, to = 0; to < rgb.length; from += channels, to += 3) {
    const opacity = alpha === undefined ? 255 : data[from + alpha]!;
    if (opacity === 255) {
      rgb[to] = data[from]!;
      rgb[to + 1] = data[from + green]!;
      rgb[to + 2] = data[from + blue]!;
    } else {
      const rest = ground * (255 - opacity) + 127;
      rgb[to] = (data[from]! * opacity + rest) / 255;
      rgb[to + 1] = (data[from + green]! * opacity + rest) / 255;
      rgb[to + 2] = (data[from + blue]! * opacity + rest) / 255;
    }
  }
  return rgb;
}
