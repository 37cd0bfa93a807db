import { type AnalysisPool, createAnalysisPool, type TextualAnalysis } from "@hourglass/analysis";
import { analysisJobs } from "@hourglass/insight/postings";
import { createLogger, NO_MEASUREMENTS } from "@hourglass/runtime";
import { settingsOf, tiersAtHand } from "./engines.js";
import { median, type Measurement } from "./measure.js";
import { benchDraft, openPostingsWorld, type PostingsWorld, saveDrafts } from "./postings.js";

const THREADS = 2;
const ANALYSES: readonly TextualAnalysis[] = [
  "sentiment-simple",
  "sentiment-real",
  "intention",
  "topic",
  "spam-detection",
];
const POSTINGS = 1_000;
const ROUNDS = 3;
const WAITING = Number(process.env["BENCH_WAITING"] ?? 100_000);
const CALLS = 200;

/** Analyzing stored postings compared with their bare texts, and what operations notice of waiting postings. */
export async function measurePostingAnalysis(): Promise<Measurement[]> {
  const tier = (await tiersAtHand()).at(-1) ?? "fast";
  const pool = createAnalysisPool({ threads: THREADS, ...settingsOf(tier) });
  try {
    await pool.analyze(textsFrom(0, 100), ANALYSES); // loads the models
    return [await measureThroughput(pool, tier), await measureLatency(pool, tier)];
  } finally {
    await pool.close();
  }
}

async function measureThroughput(pool: AnalysisPool, tier: string): Promise<Measurement> {
  const rates: { postings: number; texts: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const world = await openPostingsWorld();
    await save(world, POSTINGS);
    const texts = await perSecond(() => pool.analyze(textsFrom(0, POSTINGS), ANALYSES));
    const postings = await perSecond(() => analyzeAll(world, pool));
    rates.push({ postings, texts });
    await world.close();
  }
  return {
    name: `postings, stored to analyzed, ${tier}`,
    value: `${median(rates.map((rate) => rate.postings)).toFixed(0)} postings/s`,
    baseline: `texts alone ${median(rates.map((rate) => rate.texts)).toFixed(0)}`,
    ratio: median(rates.map((rate) => rate.postings / rate.texts)),
    target: "≥ 0.80",
  };
}

/** One text after the other, as an operation has it analyzed, while postings wait. */
async function measureLatency(pool: AnalysisPool, tier: string): Promise<Measurement> {
  const alone = await p95OfCalls(pool);
  const world = await openPostingsWorld();
  await save(world, WAITING);
  const analysis = analysisJobs({ ...worldDeps(world), texts: pool }).start();
  try {
    const beside = await p95OfCalls(pool);
    return {
      name: `p95 of a text while ${WAITING} postings wait, ${tier}`,
      value: `${beside.toFixed(1)} ms`,
      baseline: `without ${alone.toFixed(1)} ms`,
      ratio: beside / alone,
      target: "≤ 2.00",
    };
  } finally {
    await analysis.stop(5_000);
    await world.close();
  }
}

async function p95OfCalls(pool: AnalysisPool): Promise<number> {
  const times: number[] = [];
  for (const text of textsFrom(WAITING, CALLS)) {
    const begin = performance.now();
    await pool.analyze([text], ANALYSES, { owner: 2 });
    times.push(performance.now() - begin);
  }
  return times.sort((a, b) => a - b)[Math.floor(CALLS * 0.95)] ?? Number.NaN;
}

async function analyzeAll(world: PostingsWorld, pool: AnalysisPool): Promise<void> {
  const analysis = analysisJobs({ ...worldDeps(world), texts: pool, checkMs: 5 }).start();
  while ((await world.collections.work.find({}, { limit: 1 })).length > 0)
    await new Promise((end) => setTimeout(end, 5));
  await analysis.stop(5_000);
}

function worldDeps({ store, queue, collections }: PostingsWorld) {
  const files = { analyze: () => Promise.reject(new Error("no posting has media")) };
  return { store, queue, collections, files, metrics: NO_MEASUREMENTS, log: createLogger("warn"), now: Date.now };
}

async function save(world: PostingsWorld, count: number): Promise<void> {
  for (let start = 0; start < count; start += 500) {
    const drafts = Array.from({ length: Math.min(500, count - start) }, (_, i) => benchDraft(start + i));
    await saveDrafts(world, drafts);
  }
}

function textsFrom(start: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => benchDraft(start + i).text ?? "");
}

async function perSecond(run: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await run();
  return (POSTINGS * 1000) / (performance.now() - begin);
}
