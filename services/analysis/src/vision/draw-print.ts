import type { Frame } from "../visual.js";
import { createFrame } from "../image/frame.js";

/** How a word is drawn when reading is measured. */
export interface PrintStyle {
  /** Pango's name of the font and its size, `DejaVu Serif 50`, and the file that holds it. */
  font: string;
  file: string;
}

/** Share of the background's width that a word takes. */
const WIDTH_SHARE = 0.5;

/** Draws a word over the middle of a frame, in black or white, whichever stands out. For measuring only. */
export const drawPrint = async (text: string, { font, file }: PrintStyle, background: Frame): Promise<Frame> => {
  const { default: sharp } = await import("sharp");
  const { width, height } = background;
  const ink = meanLight(background) > 128 ? "#101010" : "#ffffff";
  const markup = `<span foreground="${ink}">${text.replaceAll("&", "&amp;")}</span>`;
  const word = await sharp({ text: { text: markup, font, fontfile: file, rgba: true, dpi: 300 } })
    .resize({ width: Math.round(width * WIDTH_SHARE) })
    .png()
    .toBuffer();
  const { data } = await sharp(background.rgb, { raw: { width, height, channels: 3 } })
    .composite([{ input: word }])
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return createFrame({ width, height, rgb: data, atMs: 0 });
};

const meanLight = ({ rgb }: Frame): number => rgb.reduce((sum, value) => sum + value, 0) / rgb.length;
