import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./child.js";
import type { Measurement } from "./measure.js";

const TESTING = path.join(ROOT, "services/insight/dist/platforms/testing");
const PAGES = 100;

/** Microseconds of processor time for a page. */
interface Mapping {
  platform: string;
  postings: number;
  parse: number;
  map: number;
  ratio: number;
}

interface Memory {
  pages: number;
  heap: number;
  resident: number;
}

/** Shares of 1. */
interface SpentMonth {
  name: string;
  limit: number;
  period: string;
  windows: number;
  used: number;
  most: number;
}

/** What connectors make of pages of the fakes, and the memory of a long poll. */
export async function measureConnectors(): Promise<Measurement[]> {
  const mappings = (await print("mapping-load.js")) as Mapping[];
  const { early, late } = (await print("poll-memory.js", PAGES)) as { early: Memory; late: Memory };
  return [
    ...mappings.map(mappingLine),
    {
      name: `memory of a poll of ${late.pages} pages of 100 postings`,
      value: `heap ${megabytes(late.heap)}, resident ${megabytes(late.resident)}`,
      baseline: `after ${early.pages} pages ${megabytes(early.heap)}, ${megabytes(early.resident)}`,
      ratio: late.heap / early.heap,
      target: "≤ 1.10",
    },
  ];
}

function mappingLine({ platform, postings, parse, map, ratio }: Mapping): Measurement {
  return {
    name: `postings of a page of ${platform}`,
    value: `${perSecond(postings, map)} postings/s`,
    baseline: `${platform === "news" ? "parsing the feed" : "JSON.parse"} alone ${perSecond(postings, parse)}`,
    ratio,
    target: "≥ 0.30",
  };
}

function perSecond(postings: number, microseconds: number): string {
  return Math.round((postings * 1e6) / microseconds).toLocaleString("en");
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(0)} MiB`;
}

/** How much of the budgets is used by a simulated month of searches that always have more to read. */
export async function measureBudgets(): Promise<Measurement[]> {
  const months = (await print("budget-month.js")) as SpentMonth[];
  return months.map(({ name, limit, period, windows, used, most }) => ({
    name: `budget ${name} of ${limit.toLocaleString("en")} a ${period}, of ${windows} simulated`,
    value: `${(used * 100).toFixed(1)} % used`,
    baseline: `at most ${(most * 100).toFixed(1)} % of one window: ${most > 1 ? "exceeded" : "never above"}`,
    ratio: used,
    target: "≥ 0.95",
  }));
}

/** What a program prints, as JSON. */
async function print(program: string, ...args: number[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--expose-gc",
    path.join(TESTING, program),
    ...args.map(String),
  ]);
  return JSON.parse(stdout);
}
