import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import {
  annotateFast,
  CARD_FILE,
  encodeColumns,
  ENTITY_CLASSES,
  FEATURE_VERSION,
  findEntities,
  MODEL_FOLDER,
  type TaggerCard,
  type TaggerModel,
  tagText,
  type Token,
  WEIGHTS_FILE,
} from "@hourglass/analysis/topic";
import { type Augmentation, augment } from "./augment.js";
import { countWords } from "./count-words.js";
import { say } from "../report.js";
import { judgeEntities } from "./evaluate-entities.js";
import { judgeChunks } from "./evaluate.js";
import { fit, type FittedWeights, type Settings } from "./fit.js";
import { f1, precision, recall } from "./judge.js";
import { readChunkRows, readEntityRows } from "./rows.js";
import { samplesOf } from "./samples.js";

/** Settings of the shipped model, chosen on the development data. */
const SETTINGS: Settings = { seed: 7, epochs: 6, learningRate: 0.05, decay: 1e-5, wordDropout: 0.3 };

/** Augmentation settings, also chosen on the development data. */
const AUGMENTATION: Augmentation = { variationSeed: 11, renamed: 0.7, uncapitalised: 0.2 };

/** Biases that increase recall, tried on the development data in this order. */
const OUTSIDE_BIASES = [0, -0.25, -0.5, -0.75, -1, -1.25, -1.5, -1.75, -2];

/** Trains the entity tagger and writes its card and weights into the analyzer's model folder. */
export function trainTopic(dataDir: string): void {
  countWords(dataDir);
  const rows = readEntityRows(dataDir, "train");
  say(`topic: training on ${rows.length} sentences`);
  const fitted = fit(samplesOf(augment(rows, AUGMENTATION)), SETTINGS, say);
  const model = chooseBias(quantise(fitted), dataDir);
  const packed = gzipSync(encodeColumns(model.weights), { level: 9 });
  const sha256 = createHash("sha256").update(packed).digest("hex");
  const devRows = readEntityRows(dataDir, "dev");
  const tally = judgeEntities(devRows, devRows.map(tagRow).map(withModel(model))).overall;
  const chunkRows = readChunkRows(dataDir);
  const card: TaggerCard = {
    type: "topic",
    version: `crf-${sha256.slice(0, 8)}`,
    features: FEATURE_VERSION,
    labels: [...ENTITY_CLASSES],
    sha256,
    scale: model.scale,
    outsideBias: model.outsideBias,
    transitions: [...model.transitions].map((score) => Math.round(score * 1e4) / 1e4),
    training: { data: "topic-ner train (wnut17, btc)", sentences: rows.length, ...AUGMENTATION, ...SETTINGS },
    dev: {
      "entities precision": round(precision(tally)),
      "entities recall": round(recall(tally)),
      "entities F1": round(f1(tally)),
      "noun chunks F1": round(f1(judgeChunks(chunkRows, chunkRows.map(findChunks)))),
    },
  };
  mkdirSync(MODEL_FOLDER, { recursive: true });
  writeFileSync(new URL(WEIGHTS_FILE, MODEL_FOLDER), packed);
  writeFileSync(new URL(CARD_FILE, MODEL_FOLDER), `${JSON.stringify(card, null, 2)}\n`);
  say(`topic: ${JSON.stringify(card.dev)}, ${Math.round(packed.length / 1024)} KiB`);
}

const STEPS = 127;

/** Rounds weights to int8; the few outside the range are clipped, which costs less than a coarser scale for all. */
function quantise({ weights, transitions }: FittedWeights): TaggerModel {
  const sizes = weights
    .map(Math.abs)
    .filter((size) => size > 0)
    .sort();
  const top = sizes[Math.floor(sizes.length * 0.9999)] ?? 1;
  const scale = Math.max(top, 1e-6) / STEPS;
  const steps = Int8Array.from(weights, (weight) => Math.max(-STEPS, Math.min(STEPS, Math.round(weight / scale))));
  return { version: "", weights: steps, scale, outsideBias: 0, transitions };
}

function chooseBias(model: TaggerModel, dataDir: string): TaggerModel {
  const rows = readEntityRows(dataDir, "dev");
  const tagged = rows.map(tagRow);
  let best = model;
  let top = -1;
  for (const outsideBias of OUTSIDE_BIASES) {
    const candidate = { ...model, outsideBias };
    const score = f1(judgeEntities(rows, tagged.map(withModel(candidate))).overall);
    say(`topic: bias ${outsideBias} → F1 ${score.toFixed(4)}`);
    if (score > top) {
      top = score;
      best = candidate;
    }
  }
  return best;
}

interface Tagged {
  tokens: readonly Token[];
}

const tagRow = ({ text }: { text: string }): Tagged => ({ tokens: tagText(text) });

const withModel =
  (model: TaggerModel) =>
  ({ tokens }: Tagged) => ({ tokens, entities: findEntities(tokens, model) });

const findChunks = ({ text }: { text: string }) => annotateFast(text, tagText(text));

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
