import { analyzeInline, type Classification, type ClassifyingAnalysis, type Engine } from "@hourglass/analysis";
import { type Evaluation, type Metric, shareMetric } from "../evaluation.js";
import { RECIPES } from "../recipes/index.js";

/** Texts of each development set: every n-th, so that all its sources count. */
const TEXTS = 300;

/**
 * Evaluates how faithful explanations are: the share of texts whose label becomes less likely without the span that
 * speaks most for it. Texts without such a span do not count.
 */
export const evaluateExplain = async (dataDir: string, engine: Engine): Promise<Evaluation> => {
  const metrics: Metric[] = [];
  for (const recipe of RECIPES) {
    const texts = recipe.samples(dataDir, "dev").map(({ text }) => text);
    const stride = Math.max(1, Math.floor(texts.length / TEXTS));
    const chosen = texts.filter((_, at) => at % stride === 0).slice(0, TEXTS);
    metrics.push(await lowered(chosen, recipe.analysis, engine));
  }
  return { analysis: "explain, label less likely without its strongest span", method: engine, metrics };
};

const lowered = async (texts: readonly string[], analysis: ClassifyingAnalysis, engine: Engine): Promise<Metric> => {
  const explained = await explain(texts, analysis, engine);
  const shortened = texts.flatMap((text, at) => {
    const { value = "", prob = 0, explanation } = explained[at] ?? {};
    const strongest = explanation?.spans.find(({ weight }) => weight > 0);
    if (strongest === undefined) return [];
    const characters = [...text];
    const rest = [...characters.slice(0, strongest.start), ...characters.slice(strongest.end)].join("");
    return [{ rest, value, prob }];
  });
  const again = await explain(
    shortened.map(({ rest }) => rest),
    analysis,
    engine,
  );
  const hits = shortened.filter(({ value, prob }, at) => (again[at]?.explanation?.probabilities[value] ?? 1) < prob);
  return shareMetric(analysis, hits.length, shortened.length);
};

const explain = async (
  texts: readonly string[],
  analysis: ClassifyingAnalysis,
  engine: Engine,
): Promise<(Classification | undefined)[]> => {
  const entries = await analyzeInline(texts, [analysis], { explain: true, engines: { [analysis]: engine } });
  return entries.map(({ results }) => results[analysis]);
};
