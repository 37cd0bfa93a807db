import { existsSync } from "node:fs";
import { join } from "node:path";
import { encodersOf } from "@hourglass/analysis/encoder";
import { annotateAccurately, MULTILINGUAL, trustedIn } from "@hourglass/analysis/topic";
import type { Evaluation, Metric } from "../../evaluation.js";
import { judgeEntities } from "../../topic/evaluate-entities.js";
import { figuresOf, intervalsOf, type Measure, sumOf, type Tally } from "../../topic/judge.js";
import { readUner } from "../token-rows/uner.js";

/** The folder of Universal NER among the data sets: its `.iob2` files, all in one folder. */
const FOLDER = "uner";

/** Evaluates the people, places and organisations that results name in other languages, on Universal NER. */
export const evaluateNames = async (dataDir: string): Promise<Evaluation> => {
  const { card } = encodersOf().multilingual;
  const metrics: Metric[] = [];
  for (const [language, { overall, byText }] of await judgeNames(dataDir)) {
    const stated = card.topicDev?.[language];
    const intervals = intervalsOf(byText);
    for (const [measure, value] of Object.entries(figuresOf(overall))) {
      metrics.push({
        name: `entities ${measure}, ${language}`,
        value,
        interval: intervals[measure as Measure],
        ...(stated === undefined || measure !== "F1" ? {} : { stated }),
      });
    }
  }
  const missing = `the data sets hold no folder ${FOLDER}: fetch Universal NER to measure names in other languages`;
  return {
    analysis: "topic, other languages",
    method: card.version,
    metrics,
    ...(metrics.length === 0 ? { table: [missing] } : {}),
  };
};

/** The tallies of one language. */
export interface NamesJudgement {
  overall: Tally;
  byText: Tally[];
}

/** Judges the development part of every language at hand; empty without the folder. */
export const judgeNames = async (dataDir: string): Promise<Map<string, NamesJudgement>> => {
  const folder = join(dataDir, FOLDER);
  const judged = new Map<string, NamesJudgement>();
  if (!existsSync(folder)) return judged;
  const { multilingual } = encodersOf();
  for (const { language, rows } of readUner(folder, "dev")) {
    const texts = rows.map(({ text }) => text);
    const annotations = (await annotateAccurately(texts, undefined, multilingual)).map(
      (annotation) => trustedIn({ code: language, prob: 1 }, annotation, MULTILINGUAL).annotation,
    );
    const byText = rows.map((row, at) => judgeEntities([row], annotations.slice(at, at + 1)).overall);
    judged.set(language, { overall: sumOf(byText), byText });
  }
  return judged;
};
