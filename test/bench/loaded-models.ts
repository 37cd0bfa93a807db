import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { TEXTUAL_ANALYSES } from "@hourglass/analysis";
import { ROOT, signIn } from "./child.js";
import { type Tier, tiersAtHand } from "./engines.js";
import { median, type Measurement } from "./measure.js";
import { awaitDone, createOperation } from "./operations.js";
import { startParts } from "./parts.js";
import { benchTexts, foreignPosts, longTexts } from "./texts.js";

const ROUNDS = 3;
const LIBRARIES = ["vader-sentiment", "wink-nlp"];

/** The time until the first result and the memory of a tier's models. */
export async function measureLoadedModels(): Promise<Measurement[]> {
  const tiers = await tiersAtHand();
  const rows: Measurement[] = [];
  const baseline: string[] = [];
  for (const library of LIBRARIES) baseline.push(`${library} ${await loadMs(library)} ms`);
  for (const tier of tiers) {
    rows.push({
      name: `models loaded and first text read, ${tier}`,
      value: `${await loadMs(tier)} ms`,
      baseline: baseline.join(", "),
      target: "",
    });
  }
  for (const tier of tiers) rows.push(await measureWorkerMemory(tier));
  if (tiers.includes("accurate")) {
    rows.push({
      name: "encoder for other languages loaded and first text read",
      value: `${await loadMs("multilingual")} ms`,
      baseline: "",
      target: "≤ 1500 ms",
    });
    rows.push(await measureWorkerMemory("accurate", foreignPosts(500)));
  }
  return rows;
}

/** Each measured in a separate process. */
async function loadMs(name: string): Promise<string> {
  const script = path.join(ROOT, "test/dist/bench/load-models.js");
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    times.push(Number((await promisify(execFile)(process.execPath, [script, name])).stdout));
  }
  return median(times).toFixed(0);
}

/** Resident memory of a worker process after all six analyses of posts and long texts, and of posts in other languages, if any. */
async function measureWorkerMemory(tier: Tier, foreign: readonly string[] = []): Promise<Measurement> {
  const engines = TEXTUAL_ANALYSES.filter((analysis) => analysis !== "personality-mb").map((analysis) => [
    `ENGINE_${analysis.toUpperCase().replace("-", "_")}`,
    tier,
  ]);
  const parts = await startParts(Object.fromEntries(engines) as Record<string, string>, { workers: 1 });
  try {
    const worker = await parts.startWorker();
    const idle = await residentMb(worker.opsUrl);
    const api = { url: parts.url, authorization: await signIn(parts.url) };
    for (const texts of [benchTexts(500), longTexts(50), foreign]) {
      if (texts.length === 0) continue;
      await awaitDone(api, await createOperation(api, texts, TEXTUAL_ANALYSES));
    }
    return {
      name: `memory of a worker process, six analyses, ${tier}${foreign.length > 0 ? ", both encoders" : ""}`,
      value: `${await residentMb(worker.opsUrl)} MB`,
      baseline: `before the first text ${idle} MB`,
      target: foreign.length > 0 ? "≤ 650 MB" : "≤ 400 MB",
    };
  } finally {
    await parts.close();
  }
}

async function residentMb(opsUrl: string): Promise<string> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text();
  return (Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1] ?? Number.NaN) / 2 ** 20).toFixed(0);
}
