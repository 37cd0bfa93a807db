import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { createLogger } from "../log.js";
import { RECOMMENDED_NODE, warnOfUnsupportedNode } from "./node-release.js";

/** What a process of this version says when it starts at this time. */
function saidBy(version: string, at: string): string[] {
  const said: string[] = [];
  const log = createLogger("silent");
  log.warn = (...[, text]: unknown[]) => void said.push(String(text));
  warnOfUnsupportedNode(version, { now: new Date(at), log });
  return said;
}

it("warns of a release of Node from the day after its last security fixes, and says what to install", () => {
  expect(saidBy("20.19.0", "2026-04-30T23:59:59Z")).toEqual([]);
  expect(saidBy("20.19.0", "2026-05-01T00:00:00Z")).toEqual([
    "Node 20 has had no security fixes since 2026-04-30; install Node 24",
  ]);
});

it("warns of an odd release half a year after it appeared", () => {
  expect(saidBy("25.2.1", "2026-06-01T12:00:00Z")).toEqual([]);
  expect(saidBy("25.2.1", "2026-06-02T00:00:00Z")).toEqual([
    "Node 25 has had no security fixes since 2026-06-01; install Node 24",
  ]);
});

it("names Node's own list once the recommended release has ended, too", () => {
  expect(saidBy("24.21.0", "2028-05-01T00:00:00Z")).toEqual([
    "Node 24 has had no security fixes since 2028-04-30; " +
      "install a release that https://nodejs.org/en/about/previous-releases names as supported",
  ]);
});

it("does not judge a release that is newer than its table", () => {
  expect(saidBy("31.0.0", "2040-01-01T00:00:00Z")).toEqual([]);
});

it("recommends the release that the image has", async () => {
  const dockerfile = await readFile(new URL("../../../Dockerfile", import.meta.url), "utf8");
  expect(/^ARG NODE_VERSION=(\d+)\./m.exec(dockerfile)?.[1]).toBe(String(RECOMMENDED_NODE));
});
