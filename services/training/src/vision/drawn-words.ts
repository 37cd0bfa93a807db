import { join } from "node:path";
import { createFrame, drawPrint, type Frame, type PrintStyle } from "@hourglass/analysis/vision";
import { createRandom } from "../random.js";
import { frameOf } from "./photos.js";

/** A brand's name drawn on a background. */
export interface DrawnWord {
  brand: string;
  /** Description of the background. */
  on: string;
  frame: Frame;
}

const BRANDS = [
  "Heineken",
  "Microsoft",
  "Coca-Cola",
  "Nintendo",
  "LinkedIn",
  "Pepsi",
  "Mercedes-Benz",
  "Samsung",
] as const;
/** Fonts by Pango's names, and their files in the folder of photos. */
export const PRINT_FONTS: readonly { name: string; file: string }[] = [
  { name: "DejaVu Sans Bold", file: "DejaVuSans-Bold.ttf" },
  { name: "DejaVu Serif", file: "DejaVuSerif.ttf" },
  { name: "STIXGeneral", file: "STIXGeneral.ttf" },
  { name: "DejaVu Sans Mono Oblique", file: "DejaVuSansMono-Oblique.ttf" },
];
const PHOTOS = ["sklearn-china.jpg", "darknet-horses.jpg", "skimage-coffee.png", "imagenet-castle.jpg"] as const;
const [WIDTH, HEIGHT] = [640, 480];

/** Eight brands, each on white, over a photo and over coloured noise, in four fonts in rotation; deterministic. */
export async function* drawnWords(folder: string): AsyncGenerator<DrawnWord> {
  for (const [at, brand] of BRANDS.entries()) {
    const { name, file } = PRINT_FONTS[at % PRINT_FONTS.length]!;
    const style: PrintStyle = { font: `${name} 24`, file: join(folder, "fonts", file) };
    const photo = PHOTOS[at % PHOTOS.length]!;
    yield { brand, on: "on white", frame: await drawPrint(brand, style, white()) };
    yield { brand, on: `over ${photo}`, frame: await drawPrint(brand, style, await frameOf(folder, { file: photo })) };
    yield { brand, on: "over noise", frame: await drawPrint(brand, style, noise(at + 1)) };
  }
}

const white = (): Frame =>
  createFrame({ width: WIDTH, height: HEIGHT, rgb: new Uint8Array(WIDTH * HEIGHT * 3).fill(255), atMs: 0 });

/** Blotches of three sizes and grain, in each channel. */
const noise = (seed: number): Frame => {
  const random = createRandom(seed);
  const layers = [80, 32, 9, 1].map((size) => ({ size, cells: Array.from({ length: 9_000 }, () => random() * 44) }));
  const rgb = new Uint8Array(WIDTH * HEIGHT * 3);
  for (let at = 0; at < rgb.length; at++) {
    const pixel = Math.floor(at / 3);
    const [x, y] = [pixel % WIDTH, Math.floor(pixel / WIDTH)];
    rgb[at] = layers.reduce((sum, { size, cells }) => {
      const cell = (Math.floor(y / size) * 71 + Math.floor(x / size)) * 3 + (at % 3);
      return sum + cells[cell % cells.length]!;
    }, 0);
  }
  return createFrame({ width: WIDTH, height: HEIGHT, rgb, atMs: 0 });
};
