import {
  conservative,
  type LabelSet,
  labelsOf,
  priorsOf,
  softmax,
  supportsLanguage,
  toClassification,
} from "../../text/classification.js";
import { type RawToken, tokenize } from "../../text/tokenizer.js";
import type { Analyzer, Classification, EngineSettings, TextDocument } from "../../types.js";
import { isEntailment } from "../hugging-face/model-settings.js";
import { mapLabels } from "./label-mapping.js";
import { loadTextModel, type TextModel } from "./text-model.js";

/** An analyzer that returns a label, for any analysis. */
type ModelClassifier<T extends string> = Analyzer<T, Classification>;

/**
 * An analyzer with a Hugging Face model, which either classifies, or compares the text with a hypothesis for each
 * label. Loads the model. Throws ModelError.
 */
export async function createModelClassifier<T extends string>(
  labelSet: LabelSet<T>,
  engines: EngineSettings,
): Promise<ModelClassifier<T>> {
  const type = labelSet.analysis;
  const model = await loadTextModel(type, engines);
  const labels = labelsOf(labelSet);
  const priors = priorsOf(labelSet, labels);
  const predict = model.task === "zero-shot-classification" ? zeroShot(labelSet, model) : direct(labelSet, model);
  const key = Symbol(`${type} by a model`);
  return {
    type,
    engine: "models",
    model: model.ref,
    languages: model.languages,
    async prepare(documents) {
      for (const document of documents) document.set(key, await predict(document));
    },
    analyze(document, { explain }) {
      const own = document.once<Float64Array>(key, () => {
        throw new Error(`${type}: the text was not prepared`);
      });
      const probabilities = supportsLanguage(model.languages, document.language) ? own : conservative(own, priors);
      // Attributing the decision to words would cost a run of the model for each word, so only the probabilities are
      // returned.
      return toClassification(labels, probabilities, explain ? [] : undefined);
    },
  };
}

type Predict = (document: TextDocument) => Promise<Float64Array>;

/** Probabilities of the product's labels from a model with other labels. */
function direct(labelSet: LabelSet, model: TextModel): Predict {
  const { name, config, settings } = model;
  const labels = labelsOf(labelSet);
  const mapped = mapLabels(labelSet, { name, labels: config.labels, given: settings.labels });
  const places = mapped.map((label) => (label === null ? -1 : labels.indexOf(label)));
  const priors = priorsOf(labelSet, labels);
  const temperature = settings.temperature ?? 1;
  return async (document) => {
    const logits = await averageOf(document, model, { reserved: 0, run: (text) => model.logitsOf(text) });
    const scores = (config.multiLabel ? sigmoid : softmax)(logits, temperature);
    const sum = scores.reduce((a, b) => a + b, 0) || 1;
    const left = scores.reduce((a, score, i) => ((places[i] ?? -1) < 0 ? a + score : a), 0) / sum;
    // The share of model labels without a counterpart carries no information about the product's labels.
    const shares = priors.map((prior) => prior * left);
    scores.forEach((score, i) => {
      const place = places[i] ?? -1;
      if (place >= 0) shares[place] = (shares[place] ?? 0) + score / sum;
    });
    return shares;
  };
}

/** Probabilities of the product's labels from a model that decides whether a sentence follows from a text. */
function zeroShot(labelSet: LabelSet, model: TextModel): Predict {
  const entailment = Math.max(0, model.config.labels.findIndex(isEntailment));
  const hypotheses = labelsOf(labelSet).map(
    (label) => model.settings.hypotheses?.[label] ?? labelSet.hypotheses[label] ?? label,
  );
  const asToken = (text: string): RawToken => ({ text, start: 0, end: 0, kind: "word", spaced: true, newLine: false });
  const lengths = hypotheses.map((hypothesis) => model.piecesOf(asToken(hypothesis)).length);
  const run = async (text: string): Promise<number[]> => {
    const logits: number[] = [];
    for (const hypothesis of hypotheses) logits.push((await model.logitsOf(text, hypothesis))[entailment] ?? 0);
    return logits;
  };
  return async (document) => {
    const logits = await averageOf(document, model, { reserved: Math.max(...lengths) + 1, run });
    return softmax(logits, model.settings.temperature ?? 1);
  };
}

const TOKENS = Symbol("tokens without parts of speech");

interface WindowRun {
  /** Pieces of every window that the hypothesis occupies. */
  reserved: number;
  run: (text: string) => Promise<ArrayLike<number>>;
}

/** Runs the model on every window of a text; windows are weighted by length. */
async function averageOf(
  document: TextDocument,
  model: TextModel,
  { reserved, run }: WindowRun,
): Promise<Float64Array> {
  const tokens = document.once<readonly RawToken[]>(TOKENS, tokenize);
  const piecesMax = Math.max(1, model.piecesMax - reserved);
  const cut = cutWindows(tokens, (token) => model.piecesOf(token).length, piecesMax);
  const windows = cut.length > 0 ? cut : [{ first: 0, last: -1, pieces: 1 }];
  const sum = windows.reduce((a, { pieces }) => a + Math.max(1, pieces), 0);
  let average = new Float64Array();
  for (const window of windows) {
    const logits = await run(spell(tokens, window, model));
    if (average.length === 0) average = new Float64Array(logits.length);
    const share = Math.max(1, window.pieces) / sum;
    average = average.map((value, i) => value + share * (logits[i] ?? 0));
  }
  return average;
}

/** The words of a window, with whitespace reduced to one space. */
function spell(tokens: readonly RawToken[], { first, last }: TextWindow, { settings }: TextModel): string {
  const words = tokens.slice(first, last + 1).map(({ kind, text, spaced }) => {
    const instead = kind === "mention" ? settings.handles : kind === "url" ? settings.links : undefined;
    return (spaced ? " " : "") + (instead ?? text);
  });
  return words.join("").trim();
}

const sigmoid = (logits: Float64Array, temperature: number): Float64Array =>
  logits.map((logit) => 1 / (1 + Math.exp(-logit / temperature)));

/** A run of consecutive tokens that a model reads at once; `last` is inclusive. */
interface TextWindow {
  first: number;
  last: number;
  /** Its number of pieces of the model's vocabulary. */
  pieces: number;
}

const SENTENCE_END = /^[.!?…。！？]+$/u;

/**
 * Splits a text into windows of whole sentences with at most `piecesMax` pieces; a longer sentence is split between
 * words. Every token is in one window; a text without tokens has none.
 */
export function cutWindows(
  tokens: readonly RawToken[],
  piecesOf: (token: RawToken) => number,
  piecesMax: number,
): TextWindow[] {
  const windows: TextWindow[] = [];
  let current: TextWindow | undefined;
  for (const sentence of sentencesOf(tokens, piecesOf)) {
    if (current !== undefined && current.pieces + sentence.pieces <= piecesMax) {
      current = { first: current.first, last: sentence.last, pieces: current.pieces + sentence.pieces };
      windows[windows.length - 1] = current;
    } else {
      windows.push(...cutSentence(tokens, sentence, { piecesOf, piecesMax }));
      current = windows.at(-1);
    }
  }
  return windows;
}

function sentencesOf(tokens: readonly RawToken[], piecesOf: (token: RawToken) => number): TextWindow[] {
  const sentences: TextWindow[] = [];
  let first = 0;
  let pieces = 0;
  tokens.forEach((token, at) => {
    pieces += piecesOf(token);
    const next = tokens[at + 1];
    if (next !== undefined && !next.newLine && !(SENTENCE_END.test(token.text) && next.spaced)) return;
    sentences.push({ first, last: at, pieces });
    first = at + 1;
    pieces = 0;
  });
  return sentences;
}

function cutSentence(
  tokens: readonly RawToken[],
  sentence: TextWindow,
  { piecesOf, piecesMax }: { piecesOf: (token: RawToken) => number; piecesMax: number },
): TextWindow[] {
  if (sentence.pieces <= piecesMax) return [sentence];
  const parts: TextWindow[] = [];
  let part: TextWindow | undefined;
  tokens.slice(sentence.first, sentence.last + 1).forEach((token, offset) => {
    const at = sentence.first + offset;
    const pieces = piecesOf(token);
    if (part !== undefined && part.pieces + pieces <= piecesMax) {
      part.last = at;
      part.pieces += pieces;
    } else {
      part = { first: at, last: at, pieces };
      parts.push(part);
    }
  });
  return parts;
}
