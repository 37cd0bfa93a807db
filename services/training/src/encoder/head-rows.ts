import { createWriteStream, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createVocabulary, ENCODER_FOLDER, MULTILINGUAL_FOLDER, TOKENIZER_FILE } from "@hourglass/analysis/training";
import { RECIPES } from "../classifiers/recipes.js";
import type { Sample } from "../datasets.js";
import { createRandom } from "../random.js";
import { say } from "../report.js";
import { type HeadSample, headSamples } from "./head-samples.js";

/** The encoder of other languages reads all texts in those, and this share of the English ones. */
const ENGLISH_SHARE = 0.4;
/** There are tweets and reviews enough in other languages. */
const WITHOUT_ENGLISH = "sentiment-simple";
const SEED = 9;

/**
 * Writes the training data of `head.py` for a head of an encoder: one line per training sample of an analysis, with
 * the ids and shapes of its pieces as cut by the serving code, the shares of its labels, its weight, and whether it was
 * written for training. `head-rows --data DIR --out FILE [--multilingual] analysis`.
 */
const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    options: {
      data: { type: "string", default: "datasets" },
      out: { type: "string", default: "head-rows.jsonl" },
      multilingual: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
  const recipe = RECIPES.find(({ analysis }) => analysis === positionals[0]);
  if (recipe === undefined) throw new Error(`name one of ${RECIPES.map(({ analysis }) => analysis).join(", ")}`);
  const folder = values.multilingual ? MULTILINGUAL_FOLDER : ENCODER_FOLDER;
  const tokenizer = JSON.parse(readFileSync(new URL(TOKENIZER_FILE, folder), "utf8")) as object;
  const { cut } = createVocabulary(tokenizer);
  const random = createRandom(SEED);
  const isRead = ({ language = "en" }: Sample): boolean =>
    values.multilingual
      ? language !== "en" || (recipe.analysis !== WITHOUT_ENGLISH && random() < ENGLISH_SHARE)
      : language === "en";
  const rowOf = ({ text, shares, weight, written }: HeadSample): object => {
    const { ids, shapes } = cut(text);
    return {
      ids: ids.flat(),
      shapes: ids.flatMap((pieces, at) => pieces.map(() => shapes[at] ?? 0)),
      shares,
      weight,
      written,
    };
  };
  const out = createWriteStream(values.out);
  const samples = headSamples(recipe, values.data).filter(isRead);
  for (const sample of samples) out.write(`${JSON.stringify(rowOf(sample))}\n`);
  await new Promise((resolve) => out.end(resolve));
  say(`${samples.length} samples in ${values.out}`);
};

await main();
