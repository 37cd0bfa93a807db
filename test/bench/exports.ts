import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { renderExport, rewriteExport, type Sinks, startExportThread, toBlocks } from "@hourglass/export";
import { toPostingJson } from "@hourglass/posting";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import { openFileBlobs, type Blobs } from "@hourglass/runtime";
import { generatedPostings } from "./generated-postings.js";
import { longestTurnMs } from "./loop-turns.js";
import { median, type Measurement } from "./measure.js";

const POSTINGS = 100_000;
/** Enough for several row groups of Parquet. */
const FEW = 20_000;
/** A second export, to compare its memory: a million postings take minutes. 0: none. */
const MORE = Number(process.env["BENCH_EXPORTED_MORE"] ?? 0);
const IDLE_MS = 2000;
/** An author whose postings are all on that platform. */
const ERASED = [{ platform: Platform.REDDIT, by: "author_id", value: "a6" }] as const;
const RSS_MB_MAX = 200;
const LOOK_EVERY_MS = 20;
const ROUNDS = 3;

/** Rendering an export compared with reading its postings, and rewriting it compared with rendering it. */
export async function measureExports(): Promise<Measurement[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "hourglass-bench-"));
  const blobs = await openFileBlobs({ folder });
  try {
    const idle = process.memoryUsage.rss();
    const still = await measured(() => setTimeout(IDLE_MS));
    const read = await measured(() => readAll(POSTINGS));
    const rendered = await measured(() => renderExport(generatedPostings(POSTINGS), into(blobs, "export")));
    const turnMs = {
      rendering: await longestTurnMs(() => renderExport(generatedPostings(FEW), into(blobs, "few"))),
      reading: await longestTurnMs(() => readAll(FEW)),
    };
    const lines = await measured(() => blobs.put("lines", toBlocks(generatedPostings(POSTINGS))));
    const of = `of ${POSTINGS.toLocaleString("en")} postings`;
    return [
      {
        name: `export ${of} in all formats, processor time`,
        value: seconds(rendered.cpuMs),
        baseline: `reading and JSON.stringify ${seconds(read.cpuMs)}`,
        ratio: rendered.cpuMs / read.cpuMs,
        target: "≤ 6.00",
      },
      {
        name: "  its JSON lines alone",
        value: seconds(lines.cpuMs),
        baseline: "",
        ratio: lines.cpuMs / read.cpuMs,
        target: "≤ 2.00",
      },
      {
        name: "  memory meanwhile",
        value: `+ ${((rendered.rss - idle) / 1e6).toFixed(0)} MB`,
        baseline: `idle ${(idle / 1e6).toFixed(0)} MB`,
        target: `≤ + ${RSS_MB_MAX} MB`,
      },
      {
        name: "  longest stop of the loop, and processor time of its longest turn",
        value: `${rendered.stopMs.toFixed(0)} ms, ${turnMs.rendering.toFixed(0)} ms`,
        // What stops a loop that does nothing is the machine.
        baseline: `idle ${still.stopMs.toFixed(0)} ms; reading ${read.stopMs.toFixed(0)} ms, ${turnMs.reading.toFixed(0)} ms`,
        target: "≤ 50 ms",
      },
      await compareErasing(blobs, rendered),
      ...(MORE > 0 ? await compareMore(blobs, rendered) : []),
    ];
  } finally {
    await blobs.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Erasing an author from the export, compared with rendering it. */
async function compareErasing(blobs: Blobs, rendered: Cost): Promise<Measurement> {
  const thread = startExportThread(); // as for all exports that an erasure reaches
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const rewriting = async () => {
      const { rows } = await rewriteExport(blobs.get("export/ndjson"), ERASED, into(blobs, "rewritten"), { thread });
      if (rows === POSTINGS) throw new Error("no posting was erased");
    };
    rounds.push((await measured(rewriting)).cpuMs);
  }
  await thread.close();
  return {
    name: `erasing an author from an export of ${POSTINGS.toLocaleString("en")} postings, processor time`,
    value: seconds(median(rounds)),
    baseline: `rendering it ${seconds(rendered.cpuMs)}`,
    ratio: median(rounds) / rendered.cpuMs,
    target: "≤ 1.00",
  };
}

/** An export of more postings, after the other one in the same process. */
async function compareMore(blobs: Blobs, fewer: Cost): Promise<Measurement[]> {
  const read = await measured(() => readAll(MORE));
  const rendered = await measured(() => renderExport(generatedPostings(MORE), into(blobs, "more")));
  const of = `of ${MORE.toLocaleString("en")} postings`;
  return [
    {
      name: `export ${of} in all formats, processor time`,
      value: seconds(rendered.cpuMs),
      baseline: `reading and JSON.stringify ${seconds(read.cpuMs)}`,
      ratio: rendered.cpuMs / read.cpuMs,
      target: "≤ 6.00",
    },
    {
      name: "  memory meanwhile",
      value: `${(rendered.rss / 1e6).toFixed(0)} MB`,
      baseline: `of ${POSTINGS.toLocaleString("en")} ${(fewer.rss / 1e6).toFixed(0)} MB`,
      ratio: rendered.rss / fewer.rss,
      target: "≤ 1.15",
    },
  ];
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

async function readAll(count: number): Promise<void> {
  let characters = 0;
  for await (const postings of generatedPostings(count)) {
    for (const posting of postings) characters += JSON.stringify(toPostingJson(posting)).length;
  }
  if (characters === 0) throw new Error("nothing was read");
}

function into(blobs: Blobs, folder: string): Sinks {
  return {
    ndjson: (bytes) => blobs.put(`${folder}/ndjson`, bytes),
    csv: (bytes) => blobs.put(`${folder}/csv`, bytes),
    parquet: (bytes) => blobs.put(`${folder}/parquet`, bytes),
  };
}

interface Cost {
  cpuMs: number;
  stopMs: number;
  /** The most memory, in bytes. */
  rss: number;
}

/** What some work costs this process, its threads included. */
async function measured(work: () => Promise<unknown>): Promise<Cost> {
  let rss = 0;
  const look = setInterval(() => (rss = Math.max(rss, process.memoryUsage.rss())), LOOK_EVERY_MS);
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  delays.disable();
  clearInterval(look);
  return { cpuMs: (user + system) / 1000, stopMs: delays.max / 1e6, rss };
}
