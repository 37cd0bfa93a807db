import { commandLine } from "./arguments.js";
import { type Evaluation, fallsShort } from "./evaluation.js";
import { evaluateLinear } from "./linear/evaluate-linear.js";
import { RECIPES } from "./recipes/index.js";
import { complain, printEvaluation } from "./report.js";

/** Evaluates what the command line asks for, one analysis after the other so that speeds are comparable. */
const main = async (): Promise<void> => {
  const { dataDir, analyses } = commandLine();
  const wanted = Object.entries(evaluations(dataDir)).filter(
    ([name]) => analyses.length === 0 || analyses.includes(name),
  );
  const short: string[] = [];
  for (const [name, evaluate] of wanted) {
    for (const evaluation of await evaluate()) {
      printEvaluation(evaluation);
      if (evaluation.metrics.some(fallsShort)) short.push(name);
    }
  }
  if (short.length === 0) return;
  complain(`\nworse than the model card states: ${[...new Set(short)].join(", ")}`);
  process.exitCode = 1;
};

type Evaluate = () => Evaluation[] | Promise<Evaluation[]>;

const evaluations = (dataDir: string): Record<string, Evaluate> =>
  Object.fromEntries(
    RECIPES.map((recipe): [string, Evaluate] => [recipe.analysis, () => [evaluateLinear(recipe, dataDir)]]),
  );

await main();
