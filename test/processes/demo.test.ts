import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { endWithUs } from "../support/end-with-us.js";
import { LIMITS } from "../support/limits.js";

const ENTRY = fileURLToPath(new URL("../../services/demo/dist/main.js", import.meta.url));
const PLATFORMS = "facebook instagram linkedin news reddit tiktok twitter youtube-comments youtube-videos".split(" ");
/** Of the analyses of texts, those that are cheap. */
const CHEAP = Object.fromEntries(
  ["SENTIMENT_SIMPLE", "SENTIMENT_REAL", "TOPIC", "SPAM_DETECTION", "INTENTION"].map((name) => [
    `ENGINE_${name}`,
    "fast",
  ]),
);

const missing = ["bash", "curl"].filter((program) => spawnSync(program, ["--version"]).status !== 0);
if (missing.length > 0) {
  process.stderr.write(`\n!!! NOT TESTED: the requests of npm run demo. They need ${missing.join(" and ")}.\n\n`);
}

interface Posting {
  platform: string;
  text_of_post: string;
  more_info: { demo?: boolean };
}

const DAY_MS = 24 * 60 * 60_000;

interface Summary {
  spikes: { spikes: { start: string; platform: string | null; metric: string }[] };
}

describe.skipIf(missing.length > 0)("npm run demo", () => {
  let folder: string;
  let child: ChildProcess;
  let output = "";
  let progress = "";
  const ended = { code: undefined as number | null | undefined };

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "hourglass-demo-test-"));
    const arguments_ = [ENTRY, "--port", "0", "--postings", "300", "--per-minute", "120"];
    const env = { PATH: process.env["PATH"], TMPDIR: folder, ...CHEAP, ANALYSIS_THREADS: "1" };
    child = spawn(process.execPath, arguments_, { env, stdio: ["ignore", "pipe", "pipe"] });
    endWithUs(() => child.kill("SIGTERM"));
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (progress += text));
    child.once("close", (code) => (ended.code = code));
    const isOver = (): boolean => progress.includes("Ready after") || ended.code !== undefined;
    await vi.waitFor(() => expect(isOver(), progress).toBe(true), { timeout: LIMITS.test - 10_000, interval: 100 });
  }, LIMITS.test);
  afterAll(async () => {
    child.kill("SIGTERM");
    await vi.waitFor(() => expect(ended.code).toBeDefined());
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs the requests that it printed, and what is added to them, as a person who pastes them. */
  async function paste(more = ""): Promise<string> {
    const requests = output.slice(output.indexOf("Requests to paste:") + "Requests to paste:".length);
    const shell = spawn("bash", ["-eo", "pipefail", "-c", requests + more], { cwd: folder });
    let text = "";
    shell.stdout.setEncoding("utf8").on("data", (some: string) => (text += some));
    shell.stderr.setEncoding("utf8").on("data", (some: string) => (text += some));
    const code = await new Promise((resolve) => shell.once("close", resolve));
    expect(code, text).toBe(0);
    return text;
  }

  it("prints requests that lead to postings of all platforms, each of which says that it is invented", async () => {
    await paste();
    const lines = (await readFile(path.join(folder, "hourglass-demo.ndjson"), "utf8")).trimEnd().split("\n");
    const postings = lines.map((line) => JSON.parse(line) as Posting);
    expect(postings.length).toBeGreaterThanOrEqual(285);
    expect([...new Set(postings.map(({ platform }) => platform))].sort()).toEqual(PLATFORMS);
    const unmarked = postings.filter(
      ({ text_of_post, more_info }) => !text_of_post.includes("#demo") || more_info.demo !== true,
    );
    expect(unmarked).toEqual([]);
  });

  it("shows the recall of five days ago as a spike", async () => {
    const summary = await paste(
      '\necho SUMMARY\ncurl -fsS "$API/insight/1/summary?start_date=$(date -u -d "-8 days" +%F)" -H "$AUTH"',
    );
    const { spikes } = JSON.parse(summary.slice(summary.indexOf("SUMMARY") + "SUMMARY".length)) as Summary;
    const recall = Date.now() - 5.3 * DAY_MS;
    const found = spikes.spikes.filter(({ platform, metric }) => platform === null && metric === "postings");
    expect(found.some(({ start }) => Math.abs(Date.parse(start) - recall) < 1.1 * DAY_MS)).toBe(true);
  });

  it("has insights that run, are previewed and paused, and collects what is posted meanwhile", async () => {
    const list = await paste('\ncurl -fsS "$API/insight" -H "$AUTH"');
    const statuses = [...list.slice(list.lastIndexOf('{"insights"')).matchAll(/"status":"(\w+)"/g)].map(
      ([, status]) => status,
    );
    expect(statuses.sort()).toEqual(["completed", "paused", "running"]);
    const count = async (): Promise<number> => {
      const read = await paste('\ncurl -fsS "$API/insight/1" -H "$AUTH"');
      return Number(/.*"posting_count":(\d+)/s.exec(read)?.[1]);
    };
    const before = await count();
    await vi.waitFor(async () => expect(await count()).toBeGreaterThan(before), { interval: 1000 });
  });

  it("ends in order on a signal, and leaves nothing behind", async () => {
    await rm(path.join(folder, "hourglass-demo.ndjson"), { force: true });
    child.kill("SIGTERM");
    await vi.waitFor(() => expect(ended.code).toBe(0));
    expect(await readdir(folder)).toEqual([]);
    const url = /BASE=(\S+)/.exec(output)?.[1] ?? "";
    await expect(fetch(url)).rejects.toThrow();
  });
});
