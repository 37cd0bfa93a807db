import { createFrame } from "../media/frame.js";
import type { Frame, NamedMark } from "../types.js";

/** The appearance of a mark drawn for measurements. */
export interface MarkOnPicture {
  /** As SVG, square, transparent around the mark. */
  svg: string;
  /** Its side in pixels. */
  side: number;
  /** Degrees clockwise. */
  turn: number;
  /** Top left of the bounding square of the rotated mark. */
  left: number;
  top: number;
  /**
   * Whether it is drawn on a white badge that is wider by a fifth of the side all around, or directly on the picture.
   */
  badge: boolean;
}

/** Margin of a badge as a fraction of the mark's side. */
const BADGE_MARGIN = 0.2;
/** Typical of pictures on the web; it degrades marks. */
const JPEG_QUALITY = 80;

/** Creates a gallery mark from SVG. For measurements only. */
export const markOf = async (name: string, svg: string): Promise<NamedMark> => {
  const { default: sharp } = await import("sharp");
  return { name, png: await sharp(Buffer.from(svg)).png().toBuffer() };
};

/** Draws a mark into a picture and applies JPEG compression. For measurements only. */
export const drawMark = async (background: Frame, mark: MarkOnPicture): Promise<Frame> => {
  const { default: sharp } = await import("sharp");
  const { width, height } = background;
  const drawn = await sharp(await sharp(Buffer.from(mark.svg)).resize(mark.side, mark.side).png().toBuffer())
    .rotate(mark.turn, { background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .png()
    .toBuffer({ resolveWithObject: true });
  const { left, top } = mark;
  const margin = Math.round(mark.side * BADGE_MARGIN);
  const badge = await sharp({
    create: {
      width: drawn.info.width + 2 * margin,
      height: drawn.info.height + 2 * margin,
      channels: 3,
      background: "#ffffff",
    },
  })
    .png()
    .toBuffer();
  const layers = [{ input: drawn.data, left, top }];
  if (mark.badge) layers.unshift({ input: badge, left: left - margin, top: top - margin });
  const jpeg = await sharp(background.rgb, { raw: { width, height, channels: 3 } })
    .composite(layers)
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer();
  return createFrame({ width, height, rgb: await sharp(jpeg).removeAlpha().raw().toBuffer(), atMs: 0 });
};

/** The appearance of a word drawn for measurements. */
export interface PrintStyle {
  /** Pango's name of the font and its size, `DejaVu Serif 50`, and the font file. */
  font: string;
  file: string;
}

/** Fraction of the background's width that a word occupies. */
const WIDTH_SHARE = 0.5;

/**
 * Draws a word in the middle of a frame, in black or white, whichever contrasts with the background. For measurements
 * only.
 */
export const drawPrint = async (text: string, { font, file }: PrintStyle, background: Frame): Promise<Frame> => {
  const { default: sharp } = await import("sharp");
  const { width, height } = background;
  const markup = `<span foreground="#ffffff">${text.replaceAll("&", "&amp;")}</span>`;
  const word = await sharp({ text: { text: markup, font, fontfile: file, rgba: true, dpi: 300 } })
    .resize({ width: Math.round(width * WIDTH_SHARE) })
    .extractChannel("alpha")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = { left: Math.round((width - word.info.width) / 2), top: Math.round((height - word.info.height) / 2) };
  const ink = lightUnder(word, at, background) > 128 ? 16 : 255;
  return inked(word, at, { ink, background });
};

/** The appearance of a sentence. */
export interface SentenceStyle extends PrintStyle {
  /** Colors as accepted by sharp. */
  ink: string;
  paper: string;
  /** Degrees clockwise. */
  turn: number;
}

/** Margin around a sentence, and the minimum width of its picture, in pixels. */
const MARGIN = 40;
const SENTENCE_WIDTH_MIN = 960;

/** Draws a sentence in one line on plain paper, at the font's size in pixels. For measurements only. */
export const drawSentence = async (text: string, style: SentenceStyle): Promise<Frame> => {
  const { default: sharp } = await import("sharp");
  const { font, file, ink, paper, turn } = style;
  const markup = `<span foreground="${ink}">${text.replaceAll("&", "&amp;")}</span>`;
  const upright = sharp({ text: { text: markup, font, fontfile: file, rgba: true, dpi: 72 } });
  const turned = await sharp(await upright.png().toBuffer())
    .rotate(turn, { background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .png()
    .toBuffer({ resolveWithObject: true });
  const width = Math.max(SENTENCE_WIDTH_MIN, turned.info.width + 2 * MARGIN);
  const height = turned.info.height + 2 * MARGIN;
  const rgb = await sharp({ create: { width, height, channels: 3, background: paper } })
    .composite([{ input: turned.data }])
    .removeAlpha()
    .raw()
    .toBuffer();
  return createFrame({ width, height, rgb, atMs: 0 });
};

/** Coverage of each pixel by a word, 0 to 255. */
interface Cover {
  data: Uint8Array;
  info: { width: number; height: number };
}

interface Place {
  left: number;
  top: number;
}

/** Mean lightness of the pixels that the word's letters cover. */
const lightUnder = (word: Cover, at: Place, { rgb, width }: Frame): number => {
  let [light, weight] = [0, 0];
  word.data.forEach((cover, index) => {
    const from = pixelOf(index, word, at, width) * 3;
    light += (cover * (rgb[from]! + rgb[from + 1]! + rgb[from + 2]!)) / 3;
    weight += cover;
  });
  return weight === 0 ? 0 : light / weight;
};

const inked = (word: Cover, at: Place, { ink, background }: { ink: number; background: Frame }): Frame => {
  const { width, height } = background;
  const rgb = Uint8Array.from(background.rgb);
  word.data.forEach((cover, index) => {
    const from = pixelOf(index, word, at, width) * 3;
    for (let channel = 0; channel < 3; channel++) {
      rgb[from + channel] = (rgb[from + channel]! * (255 - cover) + ink * cover) / 255;
    }
  });
  return createFrame({ width, height, rgb, atMs: 0 });
};

const pixelOf = (index: number, { info }: Cover, { left, top }: Place, width: number): number =>
  (top + Math.floor(index / info.width)) * width + left + (index % info.width);
