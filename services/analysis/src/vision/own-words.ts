import { readFileSync } from "node:fs";
import * as z from "zod";
import { shipped } from "../models/shipped-models.js";

/** A word that people expect and the classifier has no class for. */
export interface OwnWord {
  word: string;
  /** How likely it is that this is there, 0 to 1. */
  prob: number;
}

/**
 * The words that a picture shows by the output of the classifier, the likeliest first. Each word is a linear function of
 * the 1,000 logits, trained by services/training/vision/own-words. Throws if the list cannot be read.
 */
export const ownWordsIn = (logits: Float32Array): OwnWord[] => {
  const found = [...loadOwnWords()]
    .map(([word, { least, bias, weights }]) => {
      const score = weights.reduce((sum, weight, at) => sum + weight * (logits[at] ?? 0), bias);
      return { word, above: score - least };
    })
    .filter(({ above }) => above >= 0)
    .map(({ word, above }) => ({ word, prob: 1 / (1 + Math.exp(-(CERTAIN + STEEPNESS * above))) }))
    .toSorted((a, b) => b.prob - a.prob);
  // A flower among its leaves is called a flower.
  return found.some(({ word }) => word === "flower") ? found.filter(({ word }) => word !== "leaf") : found;
};

/** Logistic regression of being right on how far a score is above the least; NOTES.md has the data. */
const CERTAIN = 0.38;
const STEEPNESS = 1.18;

/** The rows of the shipped list, read on first use. Throws if it cannot be read. */
export const loadOwnWords = (): ReadonlyMap<string, z.infer<typeof row>> => (words ??= read());

let words: ReadonlyMap<string, z.infer<typeof row>> | undefined;

const CLASSES = 1_000;
/** `least`: the score from which the word is reported. */
const row = z.object({ least: z.number(), bias: z.number(), weights: z.array(z.number()).length(CLASSES) });

const read = (): ReadonlyMap<string, z.infer<typeof row>> => {
  const text = readFileSync(shipped("classes/own-words.json"), "utf8");
  return new Map(Object.entries(z.record(z.string(), row).parse(JSON.parse(text))));
};
