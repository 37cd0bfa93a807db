import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { EXPORT_FAILPOINTS } from "@hourglass/export";
import { INSIGHT_FAILPOINTS } from "@hourglass/insight";
import { POSTING_FAILPOINTS, RECHECK_FAILPOINTS } from "@hourglass/insight/postings";
import { MEDIA_FAILPOINTS, MEDIA_SWEEP_FAILPOINTS } from "@hourglass/media";
import { OPERATION_FAILPOINTS, OPERATION_SWEEP_FAILPOINTS } from "@hourglass/operation";
import { dueFailpoints } from "@hourglass/runtime";
import { expect, it, onTestFinished } from "vitest";
import { sender, startServer } from "../support/server.js";

/** Work whose asker waits for it and asks again: a crash loses nothing that was accepted. */
const WAITED_FOR = ["posting-explanation"];

/** The steps at which processes are killed, by the name of their list. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  EXPORT_FAILPOINTS,
  INSIGHT_FAILPOINTS,
  MEDIA_FAILPOINTS,
  MEDIA_SWEEP_FAILPOINTS,
  OPERATION_FAILPOINTS,
  OPERATION_SWEEP_FAILPOINTS,
  POSTING_FAILPOINTS,
  RECHECK_FAILPOINTS,
};

const PROCESSES = fileURLToPath(new URL("../processes", import.meta.url));

it("processes are killed at every step that a service declares", async () => {
  const names = (await readdir(PROCESSES, { recursive: true })).filter((name) => name.endsWith(".ts"));
  const sources = await Promise.all(names.map((name) => readFile(path.join(PROCESSES, name), "utf8")));
  const uses = sources.join("\n").replaceAll(/^import [^;]+;$/gm, "");
  for (const list of Object.keys(LISTS)) expect(uses, list).toContain(list);
});

it("processes are killed at every step of each kind of work in the background", async () => {
  const server = await startServer();
  onTestFinished(() => server.close());
  const { text } = await sender(server.opsUrl)("GET", "/metrics");
  const reported = [...text.matchAll(/^hourglass_due\{.*kind="([^"]+)"/gm)].map(([, kind = ""]) => kind);
  // These read what is due by themselves.
  const kinds = [...new Set([...reported, "operation", "export"])];
  expect(kinds.length).toBeGreaterThan(10);
  const steps = new Set(Object.values(LISTS).flat());
  const left = kinds.filter((kind) => !dueFailpoints(kind).every((step) => steps.has(step)));
  expect(left).toEqual(WAITED_FOR);
});
