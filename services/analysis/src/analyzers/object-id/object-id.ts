import type { Detection, EngineSettings, VisualAnalyzer } from "../../types.js";
import { detectObjects, loadObjectNetwork, OBJECT_MODEL, type ObjectSighting } from "../../vision/objects.js";
import { ModelError } from "../../models/model.js";
import type { Tensor } from "../../engines/hugging-face/library.js";
import { detectionsOf, softmax } from "../../engines/hf-vision/zero-shot.js";
import { DETECTOR } from "../../descriptor.js";
import { openVisionModel, type VisionModel } from "../../engines/hf-vision/vision-model.js";

/** The 80 kinds of objects of COCO, each once with the probability of its likeliest instance. */
export const createObjectId = async (): Promise<VisualAnalyzer<"object-id", Detection[]>> => {
  await loadObjectNetwork();
  return {
    type: "object-id",
    engine: "builtin",
    model: OBJECT_MODEL,
    look: async (frame) => toDetections(await detectObjects(frame)),
  };
};

/** The sightings are sorted by probability, highest first. */
const toDetections = (sightings: readonly ObjectSighting[]): Detection[] => {
  const probs = new Map<string, number>();
  for (const { label, prob } of sightings) if (!probs.has(label)) probs.set(label, prob);
  return Array.from(probs, ([value, prob]) => ({ value, prob: Number(prob.toFixed(4)) }));
};

/** Families whose last class is "no object", so that the classes of a query exclude each other. */
const EXCLUSIVE: ReadonlySet<string> = new Set(["detr", "yolos"]);
/** Families with an independent probability for each class. */
const INDEPENDENT: ReadonlySet<string> = new Set(["rf_detr", "rt_detr", "rt_detr_v2", "d_fine"]);
const THRESHOLD = 0.5;

/**
 * Recognizes objects with a detector of the DETR kind: for each label the query with the highest probability.
 * Probabilities are those of the model, whose logits are divided by the `temperature` of hourglass.json. Throws
 * ModelError.
 */
export async function createObjectModel(settings: EngineSettings): Promise<VisualAnalyzer<"object-id", Detection[]>> {
  const model = await openVisionModel("object-id", DETECTOR, settings);
  const { family, labels } = model.config;
  if (!EXCLUSIVE.has(family) && !INDEPENDENT.has(family)) {
    const known = [...EXCLUSIVE, ...INDEPENDENT].join(", ");
    throw new ModelError("refused", `Model ${model.name} is "${family}", but object-id needs one of ${known}.`);
  }
  if (labels.size === 0) {
    throw new ModelError("refused", `Model ${model.name} names no labels (id2label in config.json): choose another.`);
  }
  const network = await model.network((library) => library.AutoModelForObjectDetection, ["model"]);
  return {
    type: "object-id",
    engine: "models",
    model: model.ref,
    look: async (frame) => objectsIn(model, (await network(await model.prepare(frame))).logits),
  };
}

/** `logits`: one row of classes per query. */
function objectsIn({ config, settings }: VisionModel, { data, dims }: Tensor): Detection[] {
  const classes = dims.at(-1) ?? 0;
  const logits = Array.from<number | bigint, number>(data, (value) => Number(value) / (settings.temperature ?? 1));
  const best = new Map<string, number>();
  for (let start = 0; start + classes <= logits.length; start += classes) {
    const row = logits.slice(start, start + classes);
    const exclusive = EXCLUSIVE.has(config.family);
    const probabilities = exclusive ? softmax(row).slice(0, -1) : row.map((logit) => 1 / (1 + Math.exp(-logit)));
    probabilities.forEach((prob, id) => {
      const value = nameOf(config.labels.get(id), settings.labels);
      if (value !== undefined && prob > (best.get(value) ?? 0)) best.set(value, prob);
    });
  }
  return detectionsOf(best, settings.threshold ?? THRESHOLD);
}

/**
 * The product's name for a label; undefined if the label is left out. Some class numbers of COCO are unused and called
 * N/A.
 */
function nameOf(label: string | undefined, names: Readonly<Record<string, string | null>> = {}): string | undefined {
  if (label === undefined || label === "N/A") return undefined;
  const named = names[label];
  return named === undefined ? label.toLowerCase() : (named ?? undefined);
}
