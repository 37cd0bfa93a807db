/** Decoded pixels, rows from top to bottom. */
export interface Bitmap {
  width: number;
  height: number;
  /** 1 is grey, 2 grey and alpha, 3 RGB, and 4 RGB and alpha; 8 bits each. */
  channels: number;
  data: Uint8Array;
}

const WHITE = 255;
const BLACK = 0;
const GREY = 128;
/** From this alpha on a pixel belongs to what is shown. */
const SHOWN_ALPHA = 128;
/** Difference in lightness, of 255, below which something cannot be told from the ground. */
const CONTRAST = 64;
/** Share of the outline that may be lost on white, on which most viewers show transparent pictures. */
const LOST_MAX = 0.3;

/**
 * The lightness of the ground (0 black to 255 white) on which the outline of what is not transparent is seen best: white
 * unless much of it would be lost there, as of white words; then black, or grey for what is both light and dark.
 */
export function chooseGround(bitmap: Bitmap): number {
  if (isOpaque(bitmap)) return WHITE;
  const outline = lightnessOfOutline(bitmap);
  const total = outline.reduce((sum, count) => sum + count, 0);
  const lostOn = (ground: number): number =>
    outline.reduce((sum, count, lightness) => (Math.abs(lightness - ground) < CONTRAST ? sum + count : sum), 0);
  if (lostOn(WHITE) <= LOST_MAX * total) return WHITE;
  return [WHITE, BLACK, GREY].reduce((best, ground) => (lostOn(ground) < lostOn(best) ? ground : best));
}

function isOpaque({ channels, data }: Bitmap): boolean {
  if (channels % 2 === 1) return true;
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] !== 255) return false;
  return true;
}

/** How many borders between a shown and a transparent pixel have each lightness, that of the shown one. */
function lightnessOfOutline({ width, height, channels, data }: Bitmap): Uint32Array {
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
export function layOn({ width, height, channels, data }: Bitmap, ground: number): Uint8Array {
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
