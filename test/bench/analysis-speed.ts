import { analyzeInline, createAnalysisPool, TEXTUAL_ANALYSES, type TextualAnalysis } from "@hourglass/analysis";
import { settingsOf, type Tier, tierAnalyses, tiersAtHand } from "./engines.js";
import { median, type Measurement } from "./measure.js";
import { type Library, loadVader, loadWinkSentiment, loadWinkTopics } from "./other-libraries.js";
import { foreignPosts, longTexts, shortPosts } from "./texts.js";

const ROUNDS = 3;
const BATCH = 32;
const THREADS = 2;
const POOL_TEXTS = 1000;
const CLASSIFIERS: readonly TextualAnalysis[] = ["sentiment-simple", "sentiment-real", "spam-detection", "intention"];

/** Texts of one kind; fewer are enough for the accurate tier, which is much slower. */
interface Kind {
  name: string;
  texts: Readonly<Record<Tier, readonly string[]>>;
}

/** A function that processes texts on one thread. */
interface Contestant {
  texts: readonly string[];
  /** Number of texts per call. */
  batch: number;
  run(texts: readonly string[]): unknown;
}

/** The measured analyses of one tier: one, or several together. */
interface Subject {
  name: string;
  tier: Tier;
  analyses: readonly TextualAnalysis[];
  target: string;
}

/**
 * Texts per second of processor time for each analysis and tier, separately and together, compared with libraries on
 * the same texts.
 */
export async function measureAnalysisSpeed(): Promise<Measurement[]> {
  const tiers = await tiersAtHand();
  const kinds: Kind[] = [
    { name: "posts", texts: { fast: shortPosts(1024), accurate: shortPosts(256) } },
    { name: "2,000 characters", texts: { fast: longTexts(96), accurate: longTexts(32) } },
  ];
  const rows: Measurement[] = [];
  for (const kind of kinds) rows.push(...(await measureKind(kind, tiers.flatMap(subjectsOf))));
  for (const tier of tiers) rows.push(await measurePool(tier, POSTS));
  if (tiers.includes("accurate")) rows.push(await measurePool("accurate", FOREIGN_POSTS));
  return rows;
}

function subjectsOf(tier: Tier): Subject[] {
  const alone = tierAnalyses(tier).map((analysis) => ({ name: analysis, tier, analyses: [analysis], target: "" }));
  const target = tier === "fast" ? "≥ 3000" : "≥ 350";
  return [
    ...alone,
    { name: "four classifiers", tier, analyses: CLASSIFIERS, target },
    { name: "all six", tier, analyses: TEXTUAL_ANALYSES, target: "" },
  ];
}

async function measureKind({ name, texts }: Kind, subjects: readonly Subject[]): Promise<Measurement[]> {
  const library = (load: () => Library): Contestant => {
    const read = load();
    return { texts: texts.fast, batch: BATCH, run: (some) => some.map(read) };
  };
  const ours = subjects.flatMap((subject) => [1, BATCH].map((batch) => contestantOf(subject, texts, batch)));
  const libraries = [library(loadVader), library(loadWinkSentiment), library(loadWinkTopics)];
  const [vader = 0, sentiment = 0, topics = 0, ...rates] = await perCoreSecond([...libraries, ...ours]);
  return subjects.flatMap((subject, i) => {
    const [single = 0, batched = 0] = rates.slice(2 * i, 2 * i + 2);
    const row = {
      name: `${subject.name}, ${subject.tier}, ${name}`,
      value: `${batched.toFixed(0)} texts/s/core, ${single.toFixed(0)} one at a time`,
      baseline: "",
      target: name === "posts" ? subject.target : "",
    };
    const against = (other: string, rate: number) => ({
      baseline: `${other} ${rate.toFixed(0)}`,
      ratio: batched / rate,
    });
    if (subject.name === "topic") return [{ ...row, ...against("wink-nlp", topics) }];
    if (subject.name !== "sentiment-simple") return [row];
    return [
      { ...row, ...against("vader-sentiment", vader) },
      { ...row, ...against("wink-nlp", sentiment) },
    ];
  });
}

function contestantOf({ tier, analyses }: Subject, texts: Kind["texts"], batch: number): Contestant {
  const settings = settingsOf(tier);
  // Of similar length, like the pool's batches.
  const sorted = [...texts[tier]].sort((a, b) => a.length - b.length);
  return { texts: sorted, batch, run: (some) => analyzeInline(some, analyses, settings) };
}

/** Texts per second of processor time for each contestant, in interleaved rounds after a warm-up round. */
async function perCoreSecond(contestants: readonly Contestant[]): Promise<number[]> {
  const rates = contestants.map((): number[] => []);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [i, contestant] of contestants.entries()) {
      const rate = await rateOf(contestant);
      if (round > 0) rates[i]?.push(rate);
    }
  }
  return rates.map(median);
}

async function rateOf({ texts, batch, run }: Contestant): Promise<number> {
  const before = process.cpuUsage();
  for (let from = 0; from < texts.length; from += batch) await run(texts.slice(from, from + batch));
  const { user, system } = process.cpuUsage(before);
  return (texts.length * 1e6) / (user + system);
}

/** Texts for a pool, and how many a second the accurate tier must read. */
interface PoolTexts {
  name: string;
  texts: readonly string[];
  target: string;
}

const POSTS: PoolTexts = { name: "posts", texts: shortPosts(POOL_TEXTS), target: "≥ 300" };
const FOREIGN_POSTS: PoolTexts = {
  name: "posts in other languages",
  texts: foreignPosts(POOL_TEXTS),
  target: "≥ 150",
};

/** All six analyses in a pool of two threads, by wall-clock time. */
async function measurePool(tier: Tier, { name, texts, target }: PoolTexts): Promise<Measurement> {
  const pool = createAnalysisPool({ threads: THREADS, ...settingsOf(tier) });
  try {
    await pool.analyze(texts, TEXTUAL_ANALYSES); // loads the models
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const begin = performance.now();
      await pool.analyze(texts, TEXTUAL_ANALYSES);
      rates.push((texts.length * 1000) / (performance.now() - begin));
    }
    return {
      name: `all six, ${tier}, ${name}, pool of ${THREADS} threads`,
      value: `${median(rates).toFixed(0)} texts/s`,
      baseline: "",
      target: tier === "accurate" ? target : "",
    };
  } finally {
    await pool.close();
  }
}
