import { readFileSync, writeFileSync } from "node:fs";
import {
  type BrandKind,
  BRANDS_FILE,
  type BrandSpelling,
  brandKey,
  brandWords,
  entriesOf,
  formatBrands,
  wink,
} from "@hourglass/analysis/training";
import { getIconsData } from "simple-icons/sdk";
import { say } from "../report.js";

/** Brands collected for this project. */
const WELL_KNOWN = new URL("../../vision/well-known-brands.txt", import.meta.url);
/** Brands of shops, hotels, banks and vehicles, which `services/training/vision/collect_brands.py` writes. */
const OF_PLACES = new URL("../../vision/name-suggestion-index.txt", import.meta.url);
/** Shorter names of the public lists are mostly abbreviations with other meanings. */
const LISTED_LENGTH_MIN = 5;
const LETTERS_MAX = 3;
/** Lists of names of people and places. */
const NAMES = [
  "first-names",
  "last-names",
  "cities",
  "countries",
  "regions",
  "locations",
  "nationalities",
  "languages",
] as const;

const names = new Set(NAMES.flatMap((list) => entriesOf(list)));

/** Whether a lower-case word has a meaning other than a brand. */
const isOrdinary = (word: string): boolean => {
  if (names.has(word) || wink().knows(word)) return true;
  return word.endsWith("s") && word.length > LISTED_LENGTH_MIN && wink().knows(word.slice(0, -1));
};

const kindOf = (spelling: string): BrandKind => {
  const words = brandWords(spelling);
  if (words.join("").length <= LETTERS_MAX) return "letters";
  if (names.has(words.join(" "))) return "word";
  if (!words.every(isOrdinary)) return "name";
  return words.length > 1 ? "phrase" : "word";
};

/** The lines of a list, without its comments. */
const linesOf = (list: URL): string[] =>
  readFileSync(list, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));

/** `Coca-Cola = Coca Cola | Coke` → its three spellings. */
const wellKnown = (): BrandSpelling[] =>
  linesOf(WELL_KNOWN).flatMap((line) => {
    const [first = "", others] = line.split(" = ");
    const brand = first.replace(/^!/, "");
    const spellings = [brand, ...(others?.split(" | ") ?? [])];
    return spellings.map((spelling, at) => ({
      brand,
      spelling,
      kind: at === 0 && first.startsWith("!") ? "name" : kindOf(spelling),
    }));
  });

/**
 * The titles of simple-icons (CC0) with their aliases, and the brands of name-suggestion-index (BSD-3-Clause), without
 * those that have other meanings.
 */
const listed = async (): Promise<BrandSpelling[]> => {
  const icons = await getIconsData();
  const titles = icons.flatMap(({ title, aliases }) =>
    [title, ...(aliases?.aka ?? [])].map((spelling) => ({ brand: title, spelling })),
  );
  return [...titles, ...linesOf(OF_PLACES).map((brand) => ({ brand, spelling: brand }))]
    .filter(({ spelling }) => /^[\p{Script=Latin}\d &'’.-]+$/u.test(spelling) && /\p{L}/u.test(spelling))
    .filter(({ spelling }) => brandKey(spelling).length >= LISTED_LENGTH_MIN && kindOf(spelling) === "name")
    .filter(({ spelling }) => !isOrdinary(brandKey(spelling)))
    .map((spelling) => ({ ...spelling, kind: "listed" as const }));
};

/** Writes the list of brands; of two spellings with the same key the first is kept. */
const main = async (): Promise<void> => {
  const byKey = new Map<string, BrandSpelling>();
  for (const spelling of [...wellKnown(), ...(await listed())]) {
    const key = brandKey(spelling.spelling);
    if (!byKey.has(key)) byKey.set(key, spelling);
  }
  const spellings = [...byKey.values()];
  writeFileSync(BRANDS_FILE, formatBrands(spellings));
  const count = (kind: BrandKind): string => `${spellings.filter((spelling) => spelling.kind === kind).length} ${kind}`;
  say((["name", "listed", "phrase", "word", "letters"] as const).map(count).join(", "));
};

await main();
