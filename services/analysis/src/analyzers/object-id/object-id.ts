import type { Box, Detection, EngineSettings, VisualAnalyzer } from "../../types.js";
import { distinctDetections, type Instance } from "../../vision/detections.js";
import { FINDINGS_MODEL, type Findings, findingsOf, loadFindings } from "../../vision/findings.js";
import { ModelError } from "../../models/model.js";
import type { Network, Tensor } from "../../engines/hugging-face/library.js";
import { softmax } from "../../engines/hf-vision/zero-shot.js";
import { DETECTOR } from "../../descriptor.js";
import { openVisionModel, type VisionModel } from "../../engines/hf-vision/vision-model.js";

/**
 * The 80 kinds of objects of COCO, each once with the probability of its likeliest instance, and where they are; and a
 * name, without a place, for what the picture shows as a whole.
 */
export const createObjectId = async (): Promise<VisualAnalyzer<"object-id", Detection[]>> => {
  await loadFindings();
  return {
    type: "object-id",
    engine: "builtin",
    model: FINDINGS_MODEL,
    look: async (frame) => distinctDetections(instancesOf(await findingsOf(frame))),
  };
};

/** What the detector and the classifier agree on has the places of the one and the probability of the surer one. */
const instancesOf = ({ objects, kind }: Findings): Instance[] => {
  const instances: Instance[] = objects.map(({ label, prob, box }) => ({ value: label, prob, box }));
  if (kind === undefined) return instances;
  const same = instances.find(({ value }) => value === kind.name);
  if (same === undefined) return [...instances, { value: kind.name, prob: kind.prob }];
  same.prob = Math.max(same.prob, kind.prob);
  return instances;
};

/** Families whose last class is "no object", so that the classes of a query exclude each other. */
const EXCLUSIVE: ReadonlySet<string> = new Set(["detr", "yolos"]);
/** Families with an independent probability for each class. */
const INDEPENDENT: ReadonlySet<string> = new Set(["rf_detr", "rt_detr", "rt_detr_v2", "d_fine"]);
const THRESHOLD = 0.5;

/**
 * Recognizes objects with a detector of the DETR kind: each label with the highest probability of a query, and with the
 * places of all queries that the threshold lets pass. Probabilities are those of the model, whose logits are divided by the `temperature` of hourglass.json. Throws
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
    look: async (frame) => distinctDetections(objectsIn(model, await network(await model.prepare(frame)))),
  };
}

/** Numbers per box: the middle across and down, width and height, as fractions of the picture. */
const BOX_NUMBERS = 4;

/** Both outputs have one row per query: `logits` of classes, `pred_boxes` of places. */
function objectsIn({ config, settings }: VisionModel, output: Awaited<ReturnType<Network>>): Instance[] {
  const { logits, pred_boxes: places } = output;
  const classes = logits.dims.at(-1) ?? 0;
  const scores = Array.from<number | bigint, number>(
    logits.data,
    (value) => Number(value) / (settings.temperature ?? 1),
  );
  const found: Instance[] = [];
  for (let query = 0; (query + 1) * classes <= scores.length; query++) {
    const row = scores.slice(query * classes, (query + 1) * classes);
    const exclusive = EXCLUSIVE.has(config.family);
    const probabilities = exclusive ? softmax(row).slice(0, -1) : row.map((logit) => 1 / (1 + Math.exp(-logit)));
    probabilities.forEach((prob, id) => {
      const value = nameOf(config.labels.get(id), settings.labels);
      if (value === undefined || prob < (settings.threshold ?? THRESHOLD)) return;
      found.push({ value, prob, box: places && boxOf(places, query) });
    });
  }
  return found;
}

function boxOf({ data }: Tensor, query: number): Box {
  const [x = NaN, y = NaN, width = NaN, height = NaN] = Array.from({ length: BOX_NUMBERS }, (_, i) =>
    Number(data[query * BOX_NUMBERS + i]),
  );
  return { left: x - width / 2, top: y - height / 2, width, height };
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
