import type { Metric } from "../evaluation.js";
import { wilson } from "../intervals.js";
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
    metrics.push({
      name: `ordinary posts called spam, ${name} (${texts.length})`,
      value: alarms / texts.length,
      interval: wilson(alarms, texts.length),
      better: "lower",
      ...(falseAlarmsMax === undefined ? {} : { limit: falseAlarmsMax }),
    });
  }
  return metrics;
};
