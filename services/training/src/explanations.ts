import {
  analyzeInline,
  type Classification,
  type ClassifyingAnalysis,
  createDocument,
  type Engine,
  type ExplainedSpan,
} from "@hourglass/analysis";
import {
  calibrationOf,
  createScores,
  encodersOf,
  encodingOf,
  featurize,
  prepareEncodings,
  type RawToken,
  softmax,
  tokenize,
  valenceOf,
} from "@hourglass/analysis/training";
import { RECIPES } from "./classifiers/recipes.js";
import { foreignSentiments, mainLabel, type Sample } from "./datasets.js";
import { type Evaluation, type Metric, shareMetric } from "./report.js";

/** Texts of each development set: every n-th, so that all its sources count. */
const TEXTS = 60;
/** Texts with strong words of their label. */
const STRONG_TEXTS = 300;

/** What explanations by the accurate engine must reach. */
const LIMITS = { lowered: 0.93, sign: 0.985, strongest: 0.65, timesAsLong: 15 } as const;

/**
 * Evaluates explanations: whether labels become less likely without what explains them, and whether words that lexicons
 * call strongly positive or negative speak for that sentiment.
 */
export const evaluateExplanations = async (dataDir: string, engine: Engine): Promise<Evaluation> => {
  const metrics: Metric[] = [];
  for (const recipe of RECIPES) {
    const samples = recipe.samples(dataDir, "dev");
    const explained = await explain(
      everyNth(
        samples.map(({ text }) => text),
        TEXTS,
      ),
      recipe.analysis,
      engine,
    );
    metrics.push(...(await faithfulness(recipe.analysis, explained, engine)));
    if (recipe.analysis === "sentiment-simple") metrics.push(...(await agreement(samples, engine)));
  }
  if (engine === "accurate") {
    const foreign = foreignSentiments(dataDir, "dev").map(({ text }) => text);
    const explained = await explain(everyNth(foreign, TEXTS), "sentiment-simple", engine);
    metrics.push(...(await faithfulness("sentiment-simple", explained, engine, "other languages, ")));
  }
  return { analysis: "explain", method: engine, metrics };
};

const everyNth = <T>(items: readonly T[], count: number): T[] => {
  const stride = Math.max(1, Math.floor(items.length / count));
  return items.filter((_, at) => at % stride === 0).slice(0, count);
};

/** A text with its label and the spans that explain it, in UTF-16 offsets. */
interface Explained {
  readonly text: string;
  readonly value: string;
  readonly prob: number;
  readonly language: string;
  readonly spans: readonly ExplainedSpan[];
}

const explain = async (
  texts: readonly string[],
  analysis: ClassifyingAnalysis,
  engine: Engine,
): Promise<Explained[]> => {
  const results = await classify(texts, analysis, { engine, explain: true });
  return texts.flatMap((text, at) => {
    const { value = "", prob = 0, explanation, language = "" } = results[at] ?? {};
    if (explanation === undefined) return [];
    const offsets = [0];
    for (const character of text) offsets.push((offsets.at(-1) ?? 0) + character.length);
    const spans = explanation.spans.map((span) => ({
      ...span,
      start: offsets[span.start] ?? 0,
      end: offsets[span.end] ?? text.length,
    }));
    return [{ text, value, prob, language, spans }];
  });
};

const classify = async (
  texts: readonly string[],
  analysis: ClassifyingAnalysis,
  { engine, explain = false }: { engine: Engine; explain?: boolean },
): Promise<(Classification & { language: string })[]> => {
  const entries = await analyzeInline(texts, [analysis], { explain, engines: { [analysis]: engine } });
  return entries.map(({ results, language }) => ({ value: "", prob: 0, ...results[analysis], language }));
};

/** A part of a text, and the label of the whole. */
interface Part {
  readonly rest: string;
  readonly value: string;
  /** That of the whole text, since few words may seem to be of another. */
  readonly language: string;
}

/** How likely each part is to have the label of the whole. */
const likelihoods = async (
  parts: readonly Part[],
  analysis: ClassifyingAnalysis,
  engine: Engine,
): Promise<number[]> => {
  if (engine === "accurate") return encodedLikelihoods(parts, analysis);
  const results = await classify(
    parts.map(({ rest }) => rest),
    analysis,
    { engine, explain: true },
  );
  return results.map((result, at) => result.explanation?.probabilities[parts[at]?.value ?? ""] ?? 0);
};

/** As the accurate engine computes them, without explaining every part. */
const encodedLikelihoods = async (parts: readonly Part[], analysis: ClassifyingAnalysis): Promise<number[]> => {
  const found: number[] = [];
  for (let at = 0; at < parts.length; at += BATCH) {
    const batch = parts.slice(at, at + BATCH);
    const documents = batch.map(({ rest, language }) => createDocument(rest, language));
    await prepareEncodings(documents, encodersOf());
    documents.forEach((document, i) => {
      const { encoder, logits } = encodingOf(document);
      const { code } = document.language;
      const task = encoder.card.tasks[analysis];
      const scores = createScores(analysis, encoder.card)(logits, () => featurize(document.text), code);
      const probabilities = softmax(scores, calibrationOf(task, code).temperature);
      found.push(probabilities[task.labels.indexOf(batch[i]?.value ?? "")] ?? 0);
    });
  }
  return found;
};

const BATCH = 32;

const faithfulness = async (
  analysis: ClassifyingAnalysis,
  explained: readonly Explained[],
  engine: Engine,
  where = "",
): Promise<Metric[]> => {
  const name = `${analysis}, ${where}`;
  const supported = explained.flatMap((one) => {
    const strongest = one.spans.find(({ weight }) => weight > 0);
    if (strongest === undefined) return [];
    return [{ ...one, rest: one.text.slice(0, strongest.start) + one.text.slice(strongest.end) }];
  });
  const without = await likelihoods(supported, analysis, engine);
  const hits = supported.filter(({ prob }, at) => (without[at] ?? 1) < prob).length;
  const limit = where === "" && engine === "accurate" ? { limit: LIMITS.lowered } : {};
  const silent = explained.filter(({ spans }) => spans.length === 0).length;
  return [
    shareMetric(`${name}label less likely without its strongest span`, hits, supported.length, limit),
    shareMetric(`${name}no span`, silent, explained.length, { better: "lower" }),
    {
      name: `${name}probability without the first words`,
      value: await meanAfter(explained, (words, first) => words.filter((word) => !first.has(word)), {
        analysis,
        engine,
      }),
      better: "lower",
    },
    {
      name: `${name}probability of the first words alone`,
      value: await meanAfter(explained, (words, first) => words.filter((word) => first.has(word)), {
        analysis,
        engine,
      }),
    },
  ];
};

/** Shares of the words of a text that the curves remove or keep. */
const SHARES = [0.1, 0.2, 0.3, 0.5];

/** A word between white space. */
interface Chunk {
  readonly text: string;
  /** What the spans say of it; a span's weight is shared evenly among its characters. */
  readonly weight: number;
}

/** The mean probability of the label over all texts and shares, if the words that speak for it most are treated so. */
const meanAfter = async (
  explained: readonly Explained[],
  keep: (words: readonly Chunk[], first: ReadonlySet<Chunk>) => readonly Chunk[],
  { analysis, engine }: { analysis: ClassifyingAnalysis; engine: Engine },
): Promise<number> => {
  const parts = explained.flatMap(({ text, value, language, spans }) => {
    const words = chunksOf(text, spans);
    const ordered = words.toSorted((a, b) => b.weight - a.weight);
    return SHARES.map((share) => {
      const first = new Set(ordered.slice(0, Math.ceil(share * ordered.length)));
      const rest = keep(words, first)
        .map((word) => word.text)
        .join(" ");
      return { rest, value, language };
    });
  });
  const found = await likelihoods(parts, analysis, engine);
  return found.reduce((sum, one) => sum + one, 0) / (found.length || 1);
};

const chunksOf = (text: string, spans: readonly ExplainedSpan[]): Chunk[] =>
  Array.from(text.matchAll(/\S+/g), (match) => {
    const [from, to] = [match.index, match.index + match[0].length];
    const weight = spans.reduce((sum, span) => {
      const shared = Math.min(to, span.end) - Math.max(from, span.start);
      return shared <= 0 ? sum : sum + (span.weight * shared) / (span.end - span.start);
    }, 0);
    return { text: match[0], weight };
  });

/** Valence, by VADER or AFINN, from which a word is called strong. */
const STRONG = 2;
/** Up to this many words, a text is short. */
const SHORT = 10;
const NEGATIONS =
  /n['’]t$|^(?:no|not|never|none|nobody|nothing|nowhere|neither|nor|cannot|without|hardly|barely|dont|cant|wont|isnt|aint)$/i;

/** Whether strong words of the label's sentiment speak for the label, in texts without negation; and the time it takes. */
const agreement = async (samples: readonly Sample[], engine: Engine): Promise<Metric[]> => {
  const limit = (value: number): { limit?: number } => (engine === "accurate" ? { limit: value } : {});
  const analysis = "sentiment-simple";
  const texts = everyNth(
    samples.flatMap((sample) => (strongWords(sample.text, mainLabel(sample)).length > 0 ? [sample.text] : [])),
    STRONG_TEXTS,
  );
  let explained: Explained[] = [];
  const plain = await processorTime(() => classify(texts, analysis, { engine }));
  const time = await processorTime(async () => (explained = await explain(texts, analysis, engine)));
  const judged = explained.flatMap(({ text, value, spans }) => {
    const strong = strongWords(text, value);
    return strong.length === 0 ? [] : [judge(text, strong, spans)];
  });
  const crowded = judged.filter(({ isCrowded }) => isCrowded);
  const speaking = judged.filter(({ isSilent }) => !isSilent);
  const shown = judged.flatMap(({ weights }) => weights);
  const all = speaking.reduce((sum, { strong }) => sum + strong, 0);
  const isRight = (weight: number): boolean => weight > 0;
  const ofCrowded = crowded.flatMap(({ weights }) => weights);
  const held = (some: typeof judged): number => some.filter(({ isHeld }) => isHeld).length;
  return [
    shareMetric("strong words with the right sign", shown.filter(isRight).length, shown.length, limit(LIMITS.sign)),
    shareMetric("the same in short texts with several", ofCrowded.filter(isRight).length, ofCrowded.length),
    shareMetric("strong words shown", shown.length, all),
    shareMetric("strongest span holds one", held(speaking), speaking.length, limit(LIMITS.strongest)),
    shareMetric("texts with strong words, no span", judged.length - speaking.length, judged.length),
    {
      name: "time of an explained text in plain ones",
      value: time / plain,
      better: "lower",
      limit: LIMITS.timesAsLong,
    },
  ];
};

/** The words of a text that lexicons call strong in the direction of a label; none if something is negated. */
const strongWords = (text: string, label: string): RawToken[] => {
  const words = wordsOf(text);
  if (label === "neutral" || words.some((word) => NEGATIONS.test(word.text))) return [];
  const sign = label === "positive" ? 1 : -1;
  return words.filter((word) => valenceOf(word.text.toLowerCase()) * sign >= STRONG);
};

const wordsOf = (text: string): RawToken[] => tokenize(text).filter(({ kind }) => kind === "word");

interface Judged {
  readonly isCrowded: boolean;
  readonly isSilent: boolean;
  /** Whether the strongest span holds a strong word. */
  readonly isHeld: boolean;
  /** The number of strong words, and the weights of those that are shown. */
  readonly strong: number;
  readonly weights: readonly number[];
}

const judge = (text: string, strong: readonly RawToken[], spans: readonly ExplainedSpan[]): Judged => {
  const [strongest] = spans;
  return {
    isCrowded: wordsOf(text).length <= SHORT && strong.length > 1,
    isSilent: strongest === undefined,
    isHeld: strongest !== undefined && strong.some((word) => overlap(strongest, word)),
    strong: strong.length,
    weights: strong.flatMap((word) => spans.find((span) => overlap(span, word))?.weight ?? []),
  };
};

const overlap = (
  one: { readonly start: number; readonly end: number },
  other: { readonly start: number; readonly end: number },
): boolean => one.start < other.end && other.start < one.end;

/** Microseconds of processor time, which other programs disturb less than the clock. */
const processorTime = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return user + system;
};
