import { commandLine } from "./arguments.js";
import { trainLinear } from "./classifiers/linear-training.js";
import { RECIPES, SENTIMENT_ELSEWHERE } from "./classifiers/recipes.js";
import { trainLanguage } from "./language/language-training.js";
import { complain } from "./report.js";
import { trainTopic } from "./topic/tagger-training.js";

type Train = (dataDir: string) => void;

const TRAININGS: ReadonlyMap<string, Train> = new Map<string, Train>([
  ...RECIPES.map((recipe): [string, Train] => [recipe.analysis, (dataDir) => trainLinear(recipe, dataDir)]),
  ["sentiment-multilingual", (dataDir) => trainLinear(SENTIMENT_ELSEWHERE, dataDir)],
  ["topic", (dataDir) => trainTopic(dataDir)],
  ["language", trainLanguage],
]);

/** Trains the models named on the command line, or all, and writes them into their analyzers' model folders. */
const main = (): void => {
  const { dataDir, analyses } = commandLine();
  const unknown = analyses.filter((analysis) => !TRAININGS.has(analysis));
  if (unknown.length > 0) {
    complain(`no such model: ${unknown.join(", ")}; there are ${[...TRAININGS.keys()].join(", ")}`);
    process.exitCode = 2;
    return;
  }
  for (const [analysis, train] of TRAININGS) {
    if (analyses.length === 0 || analyses.includes(analysis)) train(dataDir);
  }
};

main();
