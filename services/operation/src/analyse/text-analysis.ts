import { type measureAnalyses, TEXTUAL_ANALYSES, type TextualAnalysis } from "@hourglass/analysis";
import { inSpan } from "@hourglass/runtime";
import { withinBounds } from "./explanation-bounds.js";
import { inUtf16 } from "./utf16-explanations.js";
import { analysesOf, type AnalysisName, type HeldOperation, isExplained, offsetUnitOf } from "../records/operation.js";
import type { TextAnalyst } from "@hourglass/analysis";
import type { TextOutcome } from "../records/text-outcome.js";

export interface TextAnalysisDeps {
  pool: TextAnalyst;
  /** Receives the time of each analysis. */
  onTimed: ReturnType<typeof measureAnalyses>;
}

/** A text of an operation. */
export interface OwnText {
  text: string;
  /** Whether the personality of its content comes from a group. */
  grouped: boolean;
}

/** Analyses texts as one operation requests. */
export class TextAnalysis {
  /** The requested analyses that work on text. */
  readonly analyses: readonly TextualAnalysis[];

  constructor(
    private readonly deps: TextAnalysisDeps,
    private readonly held: HeldOperation,
  ) {
    const asked: readonly AnalysisName[] = analysesOf(held.record);
    this.analyses = TEXTUAL_ANALYSES.filter((analysis) => asked.includes(analysis));
  }

  /** Outcomes of the contents' own texts, in order; texts in a group get no personality. */
  async analyseOwn(texts: readonly OwnText[]): Promise<TextOutcome[]> {
    const single = this.analyses.filter((analysis) => analysis !== "personality-mb");
    const outcomes = await this.run(
      texts.map(({ text }) => text),
      single,
    );
    if (single.length === this.analyses.length) return outcomes;
    const alone = texts.flatMap(({ grouped }, index) => (grouped ? [] : [index]));
    const personalities = await this.analysePersonality(alone.map((index) => texts[index]?.text ?? ""));
    alone.forEach((index, position) => {
      const [outcome, personality] = [outcomes[index], personalities[position]];
      if (outcome !== undefined && personality !== undefined) outcomes[index] = merge(outcome, personality);
    });
    return outcomes;
  }

  /** Outcomes of texts, each by a single author. */
  analysePersonality(texts: readonly string[]): Promise<TextOutcome[]> {
    return this.run(texts, ["personality-mb"]);
  }

  private async run(texts: readonly string[], analyses: readonly TextualAnalysis[]): Promise<TextOutcome[]> {
    const { pool, onTimed } = this.deps;
    const { signal } = this.held.lease;
    signal.throwIfAborted();
    if (texts.length === 0 || analyses.length === 0) return texts.map(() => ({ results: {}, errors: {} }));
    const { record } = this.held;
    const explain = isExplained(record);
    const attributes = {
      "hourglass.texts": texts.length,
      "hourglass.analyses": [...analyses],
      "hourglass.explain": explain,
    };
    const outcomes = await inSpan({ name: "analyse texts", attributes }, () =>
      pool.analyze(texts, analyses, { explain, owner: record.companyId, signal, onTimed }),
    );
    if (outcomes.length !== texts.length) {
      throw new Error(`the pool answered ${outcomes.length} outcomes for ${texts.length} texts`);
    }
    if (!explain) return outcomes;
    const bounded = outcomes.map(withinBounds);
    if (offsetUnitOf(record) === "code-points") return bounded;
    return bounded.map((outcome, index) => inUtf16(outcome, texts[index] ?? ""));
  }
}

/** Merges two outcomes of the same text. */
function merge(one: TextOutcome, other: TextOutcome): TextOutcome {
  return {
    ...one,
    ...other,
    results: { ...one.results, ...other.results },
    errors: { ...one.errors, ...other.errors },
    models: { ...one.models, ...other.models },
    supported: { ...one.supported, ...other.supported },
  };
}
