import { join } from "node:path";
import { drawSentence, type Frame, type SentenceStyle } from "@hourglass/analysis/vision";
import { PRINT_FONTS } from "./drawn-words.js";

/** Sentences drawn in one style. */
export interface DrawnSentences {
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
export const READABLE: readonly DrawnSentences[] = [
  ...[8, 10, 12, 16, 24, 48].map((pixels) => ({ ...plain(`${pixels} px, black on white`, {}), pixels })),
  plain("white on red", { ink: "#ffffff", paper: "#d03030" }),
  plain("yellow on blue", { ink: "#ffe040", paper: "#2040a0" }),
  plain("grey on lighter grey", { ink: "#909090", paper: "#b8b8b8" }),
  plain("turned by 10 degrees", { turn: 10 }),
  plain("turned by 35 degrees", { turn: 35 }),
  plain("running up", { turn: -90 }),
  plain("on its head", { turn: 180 }),
  { ...plain("with accents", {}), sentences: MARKED },
];

/** Scripts that the network does not know; any reading is wrong. */
export const UNREADABLE: readonly DrawnSentences[] = [
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
export async function* drawn(
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
