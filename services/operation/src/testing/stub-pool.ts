import type { TextualAnalysis } from "@hourglass/analysis";
import type { AnalysisPool, TextOutcome } from "../ports/analysis-pool.js";

/** A pool whose outcomes can be told from the text alone, and that can be held up or made to fail. */
export class StubPool implements AnalysisPool {
  /** Texts and analyses of each call, in order. */
  readonly calls: { texts: readonly string[]; analyses: readonly TextualAnalysis[] }[] = [];
  /** Called before each answer; may wait or throw. */
  before: (texts: readonly string[]) => Promise<void> | void = () => undefined;

  async analyze(
    texts: readonly string[],
    analyses: readonly TextualAnalysis[],
    { signal, onTimed }: Parameters<AnalysisPool["analyze"]>[2] = {},
  ): Promise<TextOutcome[]> {
    this.calls.push({ texts, analyses });
    const held = this.before(texts);
    if (held !== undefined) await unlessAborted(held, signal);
    for (const analysis of analyses) onTimed?.({ analysis, engine: "stub", seconds: 0.001 });
    return texts.map((text) => outcomeOf(text, analyses));
  }
}

async function unlessAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => (stop = () => reject(signal?.reason as Error)));
  signal?.addEventListener("abort", stop);
  await Promise.race([work, aborted]).finally(() => signal?.removeEventListener("abort", stop));
}

/** A text that contains `UNREADABLE` yields errors. */
function outcomeOf(text: string, analyses: readonly TextualAnalysis[]): TextOutcome {
  const outcome: TextOutcome = { results: {}, errors: {} };
  for (const type of analyses) {
    if (text.includes("UNREADABLE")) outcome.errors[type] = "nothing to read";
    else if (type === "topic") outcome.results.topic = [{ value: text, topic_type: "noun-chunk", sub_type: "NOUN" }];
    else if (type === "personality-mb") {
      outcome.results[type] = { value: "ENTP", prob1: lengthScore(text), prob2: 0.6, prob3: 0.7, prob4: 0.8 };
    } else outcome.results[type] = { value: valueOf(text), prob: lengthScore(text) };
  }
  return outcome;
}

/** Lets a test see which text a result is of. */
export function lengthScore(text: string): number {
  return Number(`0.${String(text.length).padStart(4, "0")}`);
}

function valueOf(text: string): string {
  return `about ${text.slice(0, 20)}`;
}
