import { analyzeInline } from "@hourglass/analysis";
import { settingsOf, tierAnalyses } from "./engines.js";
import { loadVader, loadWinkSentiment } from "./other-libraries.js";

const TEXT = "A first text in Lisbon.";
const FOREIGN_TEXT = "Un primer texto en Lisboa, escrito en otro idioma.";

/** Loads the model named on the command line, reads one text with it, and prints the time in milliseconds. */
const loads: Readonly<Record<string, () => unknown>> = {
  fast: () => analyzeInline([TEXT], tierAnalyses("fast"), settingsOf("fast")),
  accurate: () => analyzeInline([TEXT], tierAnalyses("accurate"), settingsOf("accurate")),
  // After the English one: what the first text in another language waits for.
  multilingual: () => analyzeInline([FOREIGN_TEXT], tierAnalyses("accurate"), settingsOf("accurate")),
  "vader-sentiment": () => loadVader()(TEXT),
  "wink-nlp": () => loadWinkSentiment()(TEXT),
};
const name = process.argv[2] ?? "";
const load = loads[name];
if (load === undefined) throw new Error(`name one of ${Object.keys(loads).join(", ")}, not "${name}"`);
if (name === "multilingual") await loads["accurate"]?.();
const begin = performance.now();
await load();
process.stdout.write(String(performance.now() - begin));
