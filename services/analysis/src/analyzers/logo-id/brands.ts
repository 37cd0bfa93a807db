import { readFileSync } from "node:fs";
import { shipped } from "../../models/shipped-models.js";

/**
 * How much of a sign a spelling is by itself:
 * - `name`: well known, and nothing but the brand (Heineken, Coca-Cola);
 * - `listed`: nothing but the brand, but less known;
 * - `phrase`: ordinary words that together are the brand (Burger King);
 * - `word`: also an ordinary word or a name of people or places (Apple, Ford);
 * - `letters`: three letters or fewer (IBM).
 */
const BRAND_KINDS = ["name", "listed", "phrase", "word", "letters"] as const;
export type BrandKind = (typeof BRAND_KINDS)[number];

/** One way to write a brand. */
export interface BrandSpelling {
  /** The brand's name as results give it. */
  brand: string;
  spelling: string;
  kind: BrandKind;
}

/** The brands by comparison key. */
export interface BrandList {
  /** Spellings by `brandKey`. */
  byKey: ReadonlyMap<string, BrandSpelling>;
  /** Keys of kind `name` by their length, for misread words. */
  namesByLength: ReadonlyMap<number, readonly string[]>;
  /** Number of words in the longest spelling. */
  wordsMax: number;
}

/** Location of the list, which `services/training/src/vision/build-brands.ts` writes. */
export const BRANDS_FILE: URL = shipped("logo-id/brands.txt");

/** One spelling per line: kind, brand, and the spelling if it differs, separated by tabs. */
export const formatBrands = (spellings: readonly BrandSpelling[]): string =>
  spellings
    .map(({ kind, brand, spelling }) => `${[kind, brand, ...(spelling === brand ? [] : [spelling])].join("\t")}\n`)
    .join("");

/** Parses the lines of the list. Throws on a malformed line. */
const parseBrands = (text: string): BrandSpelling[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [kind, brand = "", spelling = brand] = line.split("\t");
      const known = BRAND_KINDS.find((name) => name === kind);
      if (known === undefined || brand === "") throw new Error(`brands.txt has a line of another form: ${line}`);
      return { kind: known, brand, spelling };
    });

/** The bundled list, read on first use. */
export const brandList = (): BrandList => (loaded ??= listOf(parseBrands(readFileSync(BRANDS_FILE, "utf8"))));

let loaded: BrandList | undefined;

/** Names of the well-known brands, for engines that look for brands by name. */
export const wellKnownBrands = (): string[] => [
  ...new Set([...brandList().byKey.values()].filter(({ kind }) => kind !== "listed").map(({ brand }) => brand)),
];

const listOf = (spellings: readonly BrandSpelling[]): BrandList => {
  const byKey = new Map(spellings.map((spelling) => [brandKey(spelling.spelling), spelling]));
  const namesByLength = new Map<number, string[]>();
  for (const [key, { kind }] of byKey) {
    if (kind === "name") namesByLength.set(key.length, [...(namesByLength.get(key.length) ?? []), key]);
  }
  return { byKey, namesByLength, wordsMax: Math.max(...spellings.map(({ spelling }) => brandWords(spelling).length)) };
};

/**
 * Splits print into the words by which brands are compared: lower case, without accents, apostrophes or joining signs;
 * other signs separate words. `Häagen-Dazs` → `haagen`, `dazs`; `McDonald's` → `mcdonalds`; `AT&T` → `at&t`.
 */
export const brandWords = (text: string): string[] =>
  text
    .normalize("NFKD")
    .replace(/\p{M}|['’`´®™©]/gu, "")
    .toLowerCase()
    .replaceAll("ø", "o")
    .split(/[^\p{L}\p{N}&+]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));

/** The comparison key: the words without spaces, because OCR loses or invents spaces. */
export const brandKey = (text: string): string => brandWords(text).join("");
