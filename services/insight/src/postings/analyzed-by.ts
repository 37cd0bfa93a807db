import { createHash } from "node:crypto";
import type { TextAnalysis, TextAnalyst, TextualAnalysis } from "@hourglass/analysis";
import { AppError } from "@hourglass/runtime";

/** Analyses of the words of a posting. All but topic and spam-detection share a run of the encoder. */
export const TEXT_ANALYSES = [
  "sentiment-simple",
  "sentiment-real",
  "intention",
  "topic",
  "spam-detection",
] as const satisfies TextualAnalysis[];

/** Raised with each change of what is made of the results of the models. */
const RULES = 1;
const DIGEST_CHARACTERS = 10;

const known = new Map<string, string>();

/** What the results of a text were made by, in a few characters; undefined if an analysis failed. */
export function analyzedBy({ results, models }: Pick<TextAnalysis, "results" | "models">): string | undefined {
  if (TEXT_ANALYSES.some((analysis) => results[analysis] === undefined)) return undefined;
  const text = JSON.stringify(TEXT_ANALYSES.map((analysis) => [models[analysis]?.id, models[analysis]?.version]));
  const by = known.get(text) ?? `${RULES}-${digestOf(text)}`;
  // There are as many as models.
  known.set(text, by);
  return by;
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, DIGEST_CHARACTERS);
}

/** One for each encoder: which of them reads a text depends on its language. */
const SAMPLES = [
  "The council votes on the second line in March.",
  "El ayuntamiento vota en marzo sobre la segunda línea.",
];

/** All that `analyzedBy` returns for results of the analyst as it is now. AppError `unavailable` if an analysis fails. */
export async function currentlyAnalyzedBy(texts: TextAnalyst): Promise<ReadonlySet<string>> {
  const outcomes = await texts.analyze(SAMPLES, TEXT_ANALYSES, { background: true });
  return new Set(
    outcomes.map((outcome) => {
      const by = analyzedBy(outcome);
      if (by !== undefined) return by;
      throw new AppError("unavailable", `An analysis of texts fails: ${Object.values(outcome.errors).join(" ")}`);
    }),
  );
}
