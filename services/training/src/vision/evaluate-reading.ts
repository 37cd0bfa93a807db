import { join } from "node:path";
import {
  drawSentence,
  editDistance,
  type Frame,
  readPrint,
  readWords,
  type SentenceStyle,
} from "@hourglass/analysis/training";
import { errorRateOf, type Errors } from "../metrics.js";
import { type Evaluation, type Metric, say, shareMetric } from "../report.js";
import { drawnPages, judgePages } from "./evaluate-pages.js";
import { frameOf, type Photo, PRINT_FONTS } from "./photos.js";

/** Character error rates that the card states; the others are only reported. */
const STATED: Readonly<Record<string, number>> = { "16 px, black on white": 0.03, "24 px, black on white": 0.03 };

/**
 * Evaluates the reading of words: errors on drawn sentences, lines of unknown scripts, and lines read where nothing is
 * printed.
 */
export const evaluateReading = async (folder: string, photos: readonly Photo[]): Promise<Evaluation> => {
  const metrics: Metric[] = [];
  for (const drawing of READABLE) metrics.push(await errorRate(folder, drawing));
  for (const drawing of UNREADABLE) metrics.push(await untold(folder, drawing), await wrongLines(folder, drawing));
  metrics.push(await inventedLines(folder, photos));
  metrics.push(...(await judgePages(drawnPages(folder))));
  return { analysis: "reading", method: "drawn sentences and pages, held-out photos", metrics };
};

/** Character edits divided by the number of drawn characters; spaces count. */
const errorRate = async (folder: string, drawing: DrawnSentences): Promise<Metric> => {
  const errors: Errors[] = [];
  for await (const { text, frame } of drawn(folder, drawing)) {
    const read = (await readWords(frame)).map((line) => line.text).join(" ");
    errors.push({ errors: Math.min(text.length, editDistance(text, read, text.length)), length: text.length });
  }
  const { [drawing.name]: stated } = STATED;
  return {
    name: `character error rate, ${drawing.name}`,
    ...errorRateOf(errors),
    better: "lower",
    ...(stated === undefined ? {} : { stated }),
  };
};

const untold = async (folder: string, drawing: DrawnSentences): Promise<Metric> => {
  let [told, all] = [0, 0];
  for await (const { frame } of drawn(folder, drawing)) {
    all++;
    if ((await readPrint(frame)).unread.some(({ script }) => script === drawing.name)) told++;
  }
  return shareMetric(`${drawing.name} sentences that are named as such`, told, all);
};

const wrongLines = async (folder: string, drawing: DrawnSentences): Promise<Metric> => {
  let [wrong, all] = [0, 0];
  for await (const { frame } of drawn(folder, drawing)) {
    all++;
    const lines = await readWords(frame);
    if (lines.length > 0) wrong++;
    for (const { text, prob } of lines) say(`  ${drawing.name}: "${text}", ${prob.toFixed(2)}`);
  }
  return shareMetric(`${drawing.name} sentences in which something is read`, wrong, all, { better: "lower" });
};

const inventedLines = async (folder: string, photos: readonly Photo[]): Promise<Metric> => {
  const bare = photos.filter(({ print }) => print === false);
  let wrong = 0;
  for (const photo of bare) {
    const lines = await readWords(await frameOf(folder, photo));
    if (lines.length > 0) wrong++;
    for (const { text, prob } of lines) say(`  ${photo.file}: "${text}", ${prob.toFixed(2)}`);
  }
  const name = "photos without print on which something is read";
  return shareMetric(name, wrong, bare.length, { stated: 0, better: "lower" });
};

/** Sentences drawn in one style. */
interface DrawnSentences {
  name: string;
  sentences: readonly string[];
  look: Omit<SentenceStyle, "font" | "file">;
  /** Height of the font in pixels. */
  pixels: number;
}

const ENGLISH = [
  "The quick parcel left the harbour before nine.",
  "Please keep your ticket until the end of the ride.",
  "Fresh bread and warm soup, every day from 7:30.",
  "Our new office opens on Monday, 14 March 2027.",
  "Do not leave bags unattended in the waiting room.",
  "Thank you for your patience while we improve the station!",
] as const;

/** German, French, Spanish and Polish: Latin letters with diacritics. */
const MARKED = [
  "Über die schöne Brücke führen größere Straßen.",
  "Où est la forêt près du château cet été ?",
  "Mañana saldrá un tren más rápido y cómodo.",
  "Łatwo znaleźć drogę do pięknej świątyni.",
] as const;

const BLACK_ON_WHITE = { ink: "#101010", paper: "#ffffff", turn: 0 } as const;
const PLAIN_PIXELS = 24;

const plain = (name: string, change: Partial<DrawnSentences["look"]>): DrawnSentences => ({
  name,
  sentences: ENGLISH,
  look: { ...BLACK_ON_WHITE, ...change },
  pixels: PLAIN_PIXELS,
});

/** Sentences whose reading is compared with the drawn text. */
const READABLE: readonly DrawnSentences[] = [
  ...[8, 10, 12, 16, 24, 48].map((pixels) => ({ ...plain(`${pixels} px, black on white`, {}), pixels })),
  plain("white on red", { ink: "#ffffff", paper: "#d03030" }),
  plain("yellow on blue", { ink: "#ffe040", paper: "#2040a0" }),
  plain("gray on lighter gray", { ink: "#909090", paper: "#b8b8b8" }),
  plain("turned by 10 degrees", { turn: 10 }),
  plain("turned by 35 degrees", { turn: 35 }),
  plain("running up", { turn: -90 }),
  plain("on its head", { turn: 180 }),
  { ...plain("with accents", {}), sentences: MARKED },
];

/** Scripts that the network does not know; any reading is wrong. */
const UNREADABLE: readonly DrawnSentences[] = [
  {
    ...plain("Cyrillic", {}),
    sentences: ["Добро пожаловать на вокзал", "Магазин открыт каждый день", "Вход справа от кассы"],
  },
  {
    ...plain("Greek", {}),
    sentences: ["Καλώς ήρθατε στον σταθμό", "Το κατάστημα είναι ανοιχτό", "Η είσοδος είναι δεξιά"],
  },
  { ...plain("Arabic", {}), sentences: ["مرحبا بكم في المحطة", "المتجر مفتوح كل يوم", "المدخل على اليمين"] },
];

/** Draws each sentence in two of the fonts, in rotation. */
async function* drawn(
  folder: string,
  { sentences, look, pixels }: DrawnSentences,
): AsyncGenerator<{ text: string; frame: Frame }> {
  for (const [at, text] of sentences.entries()) {
    for (const { name, file } of [PRINT_FONTS[at % PRINT_FONTS.length]!, PRINT_FONTS[(at + 1) % PRINT_FONTS.length]!]) {
      const style = { ...look, font: `${name} ${pixels}`, file: join(folder, "fonts", file) };
      yield { text, frame: await drawSentence(text, style) };
    }
  }
}
