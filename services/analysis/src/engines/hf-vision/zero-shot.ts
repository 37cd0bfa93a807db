import { ModelError } from "../../models/model.js";
import type { Detection, EngineSettings, Frame, VisualAnalyzer } from "../../types.js";
import { distinctDetections } from "../../vision/detections.js";
import type { Tensor } from "../hugging-face/library.js";
import { ZERO_SHOT } from "../../descriptor.js";
import { openVisionModel, type VisionModel } from "./vision-model.js";

/** Possible contents of a picture, each as a sentence that could be its caption. */
export interface Candidates {
  /** The sentence of each candidate, by name. */
  sentences: ReadonlyMap<string, string>;
  /** Sentences for pictures that show none of the candidates; they take the remaining probability. */
  otherwise: readonly string[];
}

/** The logit scale of all published models of the kind: the upper limit in training. */
const SCALE = 100;
const THRESHOLD = 0.4;
/** Sentences per batch; larger batches only need more memory. */
const BATCH = 16;

/**
 * Compares a picture with sentences by a model of the CLIP kind; the sentences are encoded once, on load. They share
 * the probability, so two candidates that are both present get less each. Throws ModelError.
 */
export async function createZeroShotModel<T extends string>(
  type: T,
  settings: EngineSettings,
  candidates: Candidates,
): Promise<VisualAnalyzer<T, Detection[]>> {
  const model = await openVisionModel(type, ZERO_SHOT, settings);
  const { family } = model.config;
  if (family !== "clip") {
    throw new ModelError("refused", `Model ${model.name} is "${family}", but ${type} needs one of the kind "clip".`);
  }
  const own = model.settings.hypotheses;
  const sentences = own === undefined ? candidates.sentences : new Map(Object.entries(own));
  const names = [...sentences.keys()];
  const rows = await readSentences(model, [...sentences.values(), ...candidates.otherwise]);
  const see = await model.network((library) => library.CLIPVisionModelWithProjection, ["vision_model"]);
  const scale = SCALE / (model.settings.temperature ?? 1);
  const threshold = model.settings.threshold ?? THRESHOLD;
  const look = async (frame: Frame): Promise<Detection[]> => {
    const { image_embeds: seen } = await see(await model.prepare(frame));
    const [picture = []] = directionsOf(seen);
    const shares = softmax(rows.map((row) => scale * likeness(row, picture)));
    const likenesses = names.map((value, i) => ({ value, prob: shares[i] ?? 0 }));
    return distinctDetections(likenesses.filter(({ prob }) => prob >= threshold));
  };
  return { type, engine: "models", model: model.ref, look };
}

async function readSentences(model: VisionModel, sentences: readonly string[]): Promise<number[][]> {
  const tokenizer = await model.tokenizer();
  const read = await model.network((library) => library.CLIPTextModelWithProjection, ["text_model"]);
  const rows: number[][] = [];
  for (let start = 0; start < sentences.length; start += BATCH) {
    const inputs = tokenizer(sentences.slice(start, start + BATCH), { padding: true, truncation: true });
    rows.push(...directionsOf((await read(inputs)).text_embeds));
  }
  return rows;
}

/** The rows of a tensor, normalized to length 1. */
function directionsOf({ data, dims }: Tensor): number[][] {
  const [count = 0, width = 0] = dims;
  const values = Array.from(data, Number);
  return Array.from({ length: count }, (_, i) => {
    const row = values.slice(i * width, (i + 1) * width);
    const length = Math.hypot(...row) || 1;
    return row.map((value) => value / length);
  });
}

const likeness = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

/** Exponentials of the values, divided by their sum. */
export function softmax(values: readonly number[]): number[] {
  const most = Math.max(...values);
  const powers = values.map((value) => Math.exp(value - most));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}
