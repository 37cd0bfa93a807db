import type { Frame, NamedMark } from "../visual.js";
import { createFrame } from "../decode/image/frame.js";

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
