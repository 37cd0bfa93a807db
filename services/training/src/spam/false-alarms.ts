import { type Metric, shareMetric } from "../evaluation.js";
import type { Sample } from "../sample.js";
import type { Judgement } from "../metrics.js";
import { ordinarySets } from "./ordinary-sets.js";

/** The share of ordinary posts classified as spam, by an engine with its serving code. */
export const falseAlarms = async (
  dataDir: string,
  judgeAll: (samples: readonly Sample[]) => Promise<readonly Judgement[]>,
): Promise<Metric[]> => {
  const metrics: Metric[] = [];
  for (const { name, texts, falseAlarmsMax } of ordinarySets(dataDir)) {
    const judgements = await judgeAll(texts.map((text) => ({ text, shares: { ham: 1 }, weight: 1, source: name })));
    const alarms = judgements.filter(({ predicted }) => predicted === "spam").length;
    const limit = falseAlarmsMax === undefined ? {} : { limit: falseAlarmsMax };
    metrics.push(
      shareMetric(`ordinary posts called spam, ${name}`, alarms, texts.length, { better: "lower", ...limit }),
    );
  }
  return metrics;
};
