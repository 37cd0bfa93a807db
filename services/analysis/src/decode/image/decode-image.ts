import type { OutputInfo, Sharp } from "sharp";
import type { MediaFacts } from "../../formats/media-facts.js";
import { UnreadableFileError } from "../file-errors.js";
import type { Frame } from "../../visual.js";
import { createFrame } from "./frame.js";
import { type Bitmap, chooseGround, layOn } from "./ground.js";

/** Longer side of a frame in pixels. */
export const FRAME_SIDE_MAX = 1600;

/** Longer side of an animation's frames, which are all in memory at the same time. */
const ANIMATION_SIDE_MAX = 800;
const ANIMATION_FRAMES_MAX = 24;
/** More than two frames a second add almost nothing. */
const ANIMATION_STEP_MS = 500;
/** Browsers show a frame with a delay below 20 ms for this long. */
const HASTY_FRAME_MS = 100;
const HASTY_DELAY_MS = 20;

/** A second check behind that of the headers. */
const PIXELS_MAX = 40_000_000;

/**
 * Messages of libjpeg about coded data that are damaged or incomplete: in JPG, any bits decode to some picture. Its
 * other warnings are about tables and markers of some cameras; a few extra bytes before a marker are harmless, too.
 */
const DAMAGED_JPG = /bad Huffman code|premature end|instead of RST|\d{3} extraneous bytes|Inconsistent progression/i;

/**
 * The picture of a PNG, JPG or GIF (the first of a GIF) as a frame: upright by its EXIF orientation, 8-bit sRGB, what is
 * transparent on a plain ground that shows the rest, longer side at most 1600 pixels. Rejects with UnreadableFileError
 * if its data are damaged.
 */
export const decodeImage = async (file: string, facts: MediaFacts): Promise<Frame> => {
  const decoded = await decodePage({ file, facts, page: 0, sideMax: FRAME_SIDE_MAX });
  return toFrame(decoded, { ground: chooseGround(decoded), atMs: 0 });
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
    ground ??= chooseGround(decoded);
    frames.push(toFrame(decoded, { ground, atMs }));
  }
  return frames;
};

interface Page {
  file: string;
  facts: MediaFacts;
  page: number;
  sideMax: number;
}

const decodePage = (page: Page): Promise<Bitmap> =>
  decoding(async () => {
    const { data, info } = await pixelsOf(page);
    const { width, height, channels } = info;
    return { width, height, channels, data };
  });

const toFrame = (bitmap: Bitmap, { ground, atMs }: { ground: number; atMs: number }): Frame =>
  createFrame({ width: bitmap.width, height: bitmap.height, rgb: layOn(bitmap, ground), atMs });

interface Decoded {
  data: Buffer;
  info: OutputInfo;
}

const pixelsOf = async (page: Page): Promise<Decoded> => {
  if (page.facts.format !== "jpg") return render(page, "error");
  try {
    return await render(page, "warning");
  } catch (error) {
    if (error instanceof Error && DAMAGED_JPG.test(error.message)) throw error;
    return render(page, "error");
  }
};

const render = async ({ file, facts, page, sideMax }: Page, failOn: FailOn): Promise<Decoded> =>
  (await open(file, facts, { page, failOn }))
    .autoOrient()
    .resize({ width: sideMax, height: sideMax, fit: "inside", withoutEnlargement: true })
    .toColourspace("srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });

/** The severity from which sharp rejects a picture. */
type FailOn = "error" | "warning";

const open = async (file: string, facts: MediaFacts, how: { page: number; failOn: FailOn }): Promise<Sharp> => {
  const { default: sharp } = await import("sharp");
  // Every file is read once, and the threads belong to the analyses.
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp(file, {
    limitInputPixels: Math.max(PIXELS_MAX, (facts.width ?? 0) * (facts.height ?? 0)),
    failOn: how.failOn,
    sequentialRead: true,
    ...(facts.format === "gif" ? { page: how.page, pages: 1 } : {}),
  });
};

const delaysOf = (file: string, facts: MediaFacts): Promise<number[]> =>
  decoding(async () => {
    const { pages = 1, delay = [] } = await (await open(file, facts, { page: 0, failOn: "error" })).metadata();
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

const decoding = async <V>(work: () => Promise<V>): Promise<V> => {
  try {
    return await work();
  } catch (error) {
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw new UnreadableFileError(`The file could not be decoded: ${reason}`, { cause: error });
  }
};
