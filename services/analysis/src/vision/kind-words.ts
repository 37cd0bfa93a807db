import { readFileSync } from "node:fs";
import { shipped } from "../models/shipped-models.js";

/** A plain word for classes of the classifier, and the broader words that are true of the same things. */
export interface KindWord {
  /** Absent for classes that only count for their groups: their own names say too little, or are too often wrong. */
  word?: string;
  /** From narrow to wide: "water bird", "bird", "animal". */
  groups: readonly string[];
  /** Numbers of the classifier's classes. */
  classes: readonly number[];
}

/** All that things of a row may be called, each name once. */
export const namesOf = ({ word, groups }: KindWord): ReadonlySet<string> =>
  new Set(word === undefined ? groups : [word, ...groups]);

const FILE = shipped("classes/words.txt");
const NO_WORD = "-";

/** The words of the shipped list, read on first use. Throws if it cannot be read. */
export const kindWords = (): readonly KindWord[] => (words ??= parse(readFileSync(FILE, "utf8")));

let words: readonly KindWord[] | undefined;

/** Lines of a word, its groups and the numbers of its classes, apart by tabs. */
const parse = (text: string): KindWord[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [word = "", groups = "", classes = ""] = line.split("\t");
      return {
        ...(word === NO_WORD ? {} : { word }),
        groups: groups.split(", ").filter((group) => group !== ""),
        classes: classes.split(" ").flatMap(range),
      };
    });

/** "12" or "12-15". */
const range = (text: string): number[] => {
  const [first = NaN, last = first] = text.split("-").map(Number);
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
};
