import { analyzeInline, TEXTUAL_ANALYSES, type EngineSettings, type TextualAnalysis } from "@hourglass/analysis";

/** A tier that only needs files of the repository. */
export type Tier = "fast" | "accurate";

/** The tiers whose models are present. */
export async function tiersAtHand(): Promise<Tier[]> {
  const [entry] = await analyzeInline(["A text."], tierAnalyses("accurate"), settingsOf("accurate"));
  return Object.keys(entry?.errors ?? {}).length === 0 ? ["fast", "accurate"] : ["fast"];
}

/** All analyses by one tier; personality-mb has only the fast one. */
export function settingsOf(tier: Tier): EngineSettings {
  const engines = TEXTUAL_ANALYSES.map(
    (analysis) => [analysis, analysis === "personality-mb" ? "fast" : tier] as const,
  );
  return { engines: Object.fromEntries(engines) };
}

/** The analyses that a tier has. */
export function tierAnalyses(tier: Tier): TextualAnalysis[] {
  return TEXTUAL_ANALYSES.filter((analysis) => tier === "fast" || analysis !== "personality-mb");
}
