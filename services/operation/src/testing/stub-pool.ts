import type {
  Classification,
  PoolAnalyzeOptions,
  TextAnalysis,
  TextAnalyst,
  TextualAnalysis,
  Topic,
} from "@hourglass/analysis";

/** A pool whose outcomes depend only on the text, and that can be blocked or made to fail. */
export class StubPool implements TextAnalyst {
  /** The arguments of each call, in order. */
  readonly calls: { texts: readonly string[]; analyses: readonly TextualAnalysis[]; explain: boolean }[] = [];
  /** Called before each answer; may wait or throw. */
  before: (texts: readonly string[]) => Promise<void> | void = () => undefined;

  async analyze(
    texts: readonly string[],
    analyses: readonly TextualAnalysis[],
    { explain = false, signal, onTimed }: PoolAnalyzeOptions = {},
  ): Promise<TextAnalysis[]> {
    this.calls.push({ texts, analyses, explain });
    const held = this.before(texts);
    if (held !== undefined) await unlessAborted(held, signal);
    for (const analysis of analyses) onTimed?.({ analysis, engine: "stub", seconds: 0.001 });
    return texts.map((text) => outcomeOf(text, analyses, explain));
  }
}

async function unlessAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => (stop = () => reject(signal?.reason as Error)));
  signal?.addEventListener("abort", stop);
  await Promise.race([work, aborted]).finally(() => signal?.removeEventListener("abort", stop));
}

/** A text that contains `UNREADABLE` yields errors; one that begins with `Ich` is German, which no model supports. */
function outcomeOf(text: string, analyses: readonly TextualAnalysis[], explain: boolean): TextAnalysis {
  const german = text.startsWith("Ich");
  const [models, supported]: [TextAnalysis["models"], TextAnalysis["supported"]] = [{}, {}];
  const outcome: TextAnalysis = { results: {}, errors: {}, models, language: german ? "de" : "en", supported };
  for (const type of analyses) {
    models[type] = { id: `${type}-stub`, version: "1" };
    supported[type] = !german;
    if (text.includes("UNREADABLE")) outcome.errors[type] = "nothing to read";
    else if (type === "topic") outcome.results.topic = [topicOf(text, explain)];
    else if (type === "personality-mb") {
      outcome.results[type] = { value: "ENTP", prob1: lengthScore(text), prob2: 0.6, prob3: 0.7, prob4: 0.8 };
    } else outcome.results[type] = classificationOf(text, explain);
  }
  return outcome;
}

function topicOf(value: string, explain: boolean): Topic {
  const offsets = explain ? { offsets: [wholeOf(value)] } : {};
  return { value, topic_type: "noun-chunk", sub_type: "NOUN", ...offsets };
}

function classificationOf(text: string, explain: boolean): Classification {
  const [value, prob] = [valueOf(text), lengthScore(text)];
  if (!explain) return { value, prob };
  const spans = [{ ...wholeOf(text), text, weight: -0.5 }];
  return { value, prob, explanation: { probabilities: { [value]: prob, other: 0.25 }, spans } };
}

/** The whole text, in code points. */
function wholeOf(text: string): { start: number; end: number } {
  return { start: 0, end: Array.from(text).length };
}

/** A score by which a test recognises the text of a result. */
export function lengthScore(text: string): number {
  return Number(`0.${String(text.length).padStart(4, "0")}`);
}

function valueOf(text: string): string {
  return `about ${text.slice(0, 20)}`;
}
