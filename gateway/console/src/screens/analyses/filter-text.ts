import { analysisWords } from "../../words/analyses.js";
import { words } from "../../words/words.js";
import type { ChosenFilter } from "./filters.js";

/** A filter as people say it. */
export function filterText({ name, value, isUnknown }: ChosenFilter): string {
  const w = analysisWords.list;
  const said = w.chips[name](valueText(name, value));
  return isUnknown ? w.notKnown(said) : said;
}

function valueText(name: ChosenFilter["name"], value: string): string {
  if (name === "type") return analysisWords.types[value] ?? value;
  if (name === "status") return words.labels.state(value);
  return name === "analysis" ? words.labels.analysis(value) : value;
}
