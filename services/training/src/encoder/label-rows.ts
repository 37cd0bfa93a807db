import { createWriteStream, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { ClassifyingAnalysis } from "@hourglass/analysis";
import { createVocabulary, ENCODER_FOLDER, MULTILINGUAL_FOLDER, TOKENIZER_FILE } from "@hourglass/analysis/training";
import { type Recipe, RECIPES } from "../classifiers/recipes.js";
import type { Part, Sample } from "../datasets.js";
import { createRandom } from "../random.js";
import { say } from "../report.js";
import { developmentSamples, type LabelSample, trainingSamples } from "./label-samples.js";

/** The encoder of other languages reads all texts in those, and this share of the English ones. */
const ENGLISH_SHARE = 0.4;
/** There are tweets and reviews enough in other languages. */
const WITHOUT_ENGLISH = "sentiment-simple";
const SEED = 9;

/** What a text teaches an analysis. */
type Lesson = Pick<LabelSample, "shares" | "weight" | "written">;

/** A text, and what is labeled in it. */
interface LabeledText {
  text: string;
  part: Part;
  language: string;
  lessons: Partial<Record<ClassifyingAnalysis, Lesson>>;
}

/**
 * Writes the data of `labels.py` for an encoder: one line per text, with the ids and shapes of its pieces
 * as cut by the serving code, and for each analysis the shares of its labels, its weight, and whether it was written for
 * training. `label-rows --data DIR --out FILE [--multilingual]`.
 */
const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      data: { type: "string", default: "datasets" },
      out: { type: "string", default: "label-rows.jsonl" },
      multilingual: { type: "boolean", default: false },
    },
  });
  const folder = values.multilingual ? MULTILINGUAL_FOLDER : ENCODER_FOLDER;
  const tokenizer = JSON.parse(readFileSync(new URL(TOKENIZER_FILE, folder), "utf8")) as object;
  const { cut } = createVocabulary(tokenizer);
  const out = createWriteStream(values.out);
  const texts = labeledTexts(values.data, values.multilingual);
  for (const { text, ...rest } of texts) {
    const { ids, shapes } = cut(text);
    const pieces = { ids: ids.flat(), shapes: ids.flatMap((own, at) => own.map(() => shapes[at] ?? 0)) };
    out.write(`${JSON.stringify({ ...pieces, ...rest })}\n`);
  }
  await new Promise((resolve) => out.end(resolve));
  say(`${texts.length} texts in ${values.out}`);
};

/** The texts of all analyses that an encoder reads; a text of several analyses stands once. */
const labeledTexts = (dataDir: string, multilingual: boolean): LabeledText[] => {
  const random = createRandom(SEED);
  const isRead = ({ language = "en" }: Sample, { analysis }: Recipe): boolean =>
    multilingual ? language !== "en" || (analysis !== WITHOUT_ENGLISH && random() < ENGLISH_SHARE) : language === "en";
  const texts = new Map<string, LabeledText>();
  const add = (samples: readonly LabelSample[], recipe: Recipe, part: Part): void => {
    for (const sample of samples) {
      if (!isRead(sample, recipe)) continue;
      const { text, shares, weight, written, language = "en" } = sample;
      const known = texts.get(text) ?? { text, part, language, lessons: {} };
      if (known.part !== part) continue;
      known.lessons[recipe.analysis] ??= { shares, weight, written };
      texts.set(text, known);
    }
  };
  for (const recipe of RECIPES) add(developmentSamples(recipe, dataDir), recipe, "dev");
  for (const recipe of RECIPES) add(trainingSamples(recipe, dataDir), recipe, "train");
  return [...texts.values()];
};

await main();
