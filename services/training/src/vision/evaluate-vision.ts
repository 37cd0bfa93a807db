import { join } from "node:path";
import {
  createFrame,
  createLogoId,
  detectFaces,
  drawPrint,
  findingsOf,
  type Frame,
  type PrintStyle,
} from "@hourglass/analysis/training";
import { createRandom } from "../random.js";
import { type Evaluation, type Metric, say, shareMetric } from "../report.js";
import { evaluateActivities } from "./evaluate-activities.js";
import { evaluateMarks } from "./evaluate-marks.js";
import { evaluateCaptions, evaluateObjectNames } from "./evaluate-names.js";
import { evaluateReading } from "./evaluate-reading.js";
import { frameOf, type Photo, photosFor, PRINT_FONTS } from "./photos.js";

/** The context of a company without a gallery. */
const NO_GALLERY = { gallery: { faces: [], marks: [] } } as const;

/**
 * Evaluates the analyses of pictures, all or those named, on the photos in a folder, and on words and marks drawn over
 * some of them.
 */
export const evaluateVision = async (folder: string, analyses: readonly string[]): Promise<Evaluation[]> => {
  const photos = photosFor("held-out", folder);
  const evaluations: Evaluation[] = [];
  for (const [analysis, evaluate] of EVALUATIONS) {
    if (analyses.length === 0 || analyses.includes(analysis)) evaluations.push(await evaluate(folder, photos));
  }
  return evaluations;
};

type Evaluate = (folder: string, photos: readonly Photo[]) => Promise<Evaluation>;

/** The main subject is the object found with the highest probability times the square root of its area. */
const subjects = async (folder: string, photos: readonly Photo[]): Promise<Evaluation> => {
  const known = photos.filter(({ subject }) => subject !== undefined);
  let right = 0;
  for (const photo of known) {
    const found = mainOf((await findingsOf(await frameOf(folder, photo))).objects);
    if (found !== undefined && photo.subject?.includes(found) === true) right++;
    else say(`  ${photo.file}: ${found ?? "nothing"} instead of ${photo.subject?.join(" or ") ?? ""}`);
  }
  return evaluationOf("object-id", shareMetric("main subject right", right, known.length, { stated: 24 / 25 }));
};

type Sighting = Awaited<ReturnType<typeof findingsOf>>["objects"][number];

const mainOf = (sightings: readonly Sighting[]): string | undefined => {
  const weight = ({ prob, box }: Sighting): number => prob * Math.sqrt(box.width * box.height);
  return [...sightings].sort((a, b) => weight(b) - weight(a))[0]?.label;
};

const faces = async (folder: string, photos: readonly Photo[]): Promise<Evaluation> => {
  const faceless = photos.filter((photo) => photo.faces === 0);
  let wrong = 0;
  for (const photo of faceless) {
    const found = await detectFaces(await frameOf(folder, photo));
    if (found.length === 0) continue;
    wrong++;
    say(`  ${photo.file}: ${found.length} faces where none is`);
  }
  const name = "photos of animals, objects and scenes with a false face";
  return evaluationOf("face-id", shareMetric(name, wrong, faceless.length, { stated: 0, better: "lower" }));
};

const brands = async (folder: string): Promise<Evaluation> => {
  let [right, all] = [0, 0];
  for await (const { brand, on, frame } of drawnWords(folder)) {
    all++;
    const found = await brandsIn(frame);
    if (found.includes(brand)) right++;
    else say(`  ${brand} ${on}: ${found.join(", ") || "nothing"}`);
  }
  return evaluationOf("logo-id", shareMetric("drawn brand words found", right, all, { stated: 23 / 24 }));
};

const noBrands = async (folder: string, photos: readonly Photo[]): Promise<Evaluation> => {
  const free = photos.filter(({ logoFree }) => logoFree === true);
  let wrong = 0;
  for (const photo of free) {
    const found = await brandsIn(await frameOf(folder, photo));
    if (found.length === 0) continue;
    wrong++;
    say(`  ${photo.file}: ${found.join(", ")}`);
  }
  const name = "photos without a brand with a false one";
  return evaluationOf("logo-id", shareMetric(name, wrong, free.length, { stated: 0, better: "lower" }));
};

const brandsIn = async (frame: Frame): Promise<string[]> => {
  const analyzer = await createLogoId();
  return (await analyzer.look(frame, NO_GALLERY)).map(({ value }) => value);
};

/** By the analysis that each is about. */
const EVALUATIONS: readonly (readonly [analysis: string, evaluate: Evaluate])[] = [
  ["object-id", subjects],
  ["object-id", evaluateObjectNames],
  ["face-id", faces],
  ["activity-id", evaluateActivities],
  ["logo-id", brands],
  ["logo-id", noBrands],
  ["logo-id", evaluateMarks],
  ["reading", evaluateReading],
  ["caption", evaluateCaptions],
];

const evaluationOf = (analysis: string, metric: Metric): Evaluation => ({
  analysis,
  method: "held-out photos",
  metrics: [metric],
});

/** A brand's name drawn on a background. */
interface DrawnWord {
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
const PHOTOS = ["sklearn-china.jpg", "darknet-horses.jpg", "skimage-coffee.png", "imagenet-castle.jpg"] as const;
const [WIDTH, HEIGHT] = [640, 480];

/** Eight brands, each on white, over a photo and over colored noise, in four fonts in rotation; deterministic. */
async function* drawnWords(folder: string): AsyncGenerator<DrawnWord> {
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
