import { commandLine } from "./arguments.js";
import { type Evaluation, fallsShort } from "./evaluation.js";
import { evaluateLanguage } from "./language/index.js";
import { evaluateLinear } from "./linear/evaluate-linear.js";
import { evaluatePersonality } from "./personality/evaluate.js";
import { RECIPES } from "./recipes/index.js";
import { complain, printEvaluation } from "./report.js";
import { evaluateTopic } from "./topic/index.js";

type Evaluate = (dataDir: string) => Evaluation | Promise<Evaluation>;

const EVALUATIONS: ReadonlyMap<string, Evaluate> = new Map<string, Evaluate>([
  ...RECIPES.map((recipe): [string, Evaluate] => [recipe.analysis, (dataDir) => evaluateLinear(recipe, dataDir)]),
  ["topic", evaluateTopic],
  ["personality-mb", evaluatePersonality],
  ["language", evaluateLanguage],
]);

/** Evaluates what the command line names, or all, one after the other so that speeds are comparable. */
const main = async (): Promise<void> => {
  const { dataDir, analyses } = commandLine();
  const unknown = analyses.filter((analysis) => !EVALUATIONS.has(analysis));
  if (unknown.length > 0) {
    complain(`no such analysis: ${unknown.join(", ")}; there are ${[...EVALUATIONS.keys()].join(", ")}`);
    process.exitCode = 2;
    return;
  }
  const short: string[] = [];
  for (const [analysis, evaluate] of EVALUATIONS) {
    if (analyses.length > 0 && !analyses.includes(analysis)) continue;
    const evaluation = await evaluate(dataDir);
    printEvaluation(evaluation);
    if (evaluation.metrics.some(fallsShort)) short.push(analysis);
  }
  if (short.length === 0) return;
  complain(`\nworse than the model card states: ${short.join(", ")}`);
  process.exitCode = 1;
};

await main();
