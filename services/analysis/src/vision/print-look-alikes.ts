import { readFileSync } from "node:fs";
import { shipped } from "../models/shipped-models.js";

/** Capitals that look the same in Latin and in Cyrillic print. */
const LOOK_ALIKES = /^[ABCEHKMOPTXY]+$/;
/** Shorter words are ambiguous. */
const WORD_MIN = 3;

/**
 * How much likelier the words of a line are Cyrillic than Latin, as a logarithm, if all their letters are capitals that
 * both scripts have: "PECTOPAH" is hardly Latin. Undefined if another letter shows the script.
 */
export const cyrillicEvidence = (text: string): number | undefined => {
  const words = text.split(/[^\p{L}\p{M}]+/u).filter((word) => word !== "");
  if (words.length === 0 || !words.every((word) => LOOK_ALIKES.test(word))) return undefined;
  return words.filter(({ length }) => length >= WORD_MIN).reduce((sum, word) => sum + evidenceOf(word), 0);
};

const evidenceOf = (word: string): number => {
  const table = pairs();
  const signs = `^${word}^`;
  let sum = 0;
  for (let at = 1; at < signs.length; at++) sum += table.get(signs.slice(at - 1, at + 1)) ?? 0;
  return sum;
};

let loaded: ReadonlyMap<string, number> | undefined;

/** Of each pair of letters, `^` for the begin and end of a word, how much likelier the second follows in Cyrillic. */
const pairs = (): ReadonlyMap<string, number> => {
  loaded ??= new Map(
    readFileSync(shipped("words/look-alikes.txt"), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const [pair = "", value = ""] = line.split(" ");
        return [pair, Number(value)];
      }),
  );
  return loaded;
};
