import { createLogger } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AnalyzerStatus } from "../registry/textual-registry.js";
import type { MediaAnalyzerStatus } from "./media-status.js";
import { watchAnalyzers, watchMedia } from "./monitoring.js";

describe("watchAnalyzers", () => {
  const log = createLogger("silent");
  const statuses: AnalyzerStatus[] = [
    { type: "topic", engine: "accurate", model: { id: "topic-encoder", version: "3" }, ready: true },
    { type: "intention", engine: "models", ready: false, error: "the engine models cannot be loaded: no such folder" },
  ];

  it("says which model is ready, and why another is not", async () => {
    const error = vi.spyOn(log, "error");
    const read = watchAnalyzers({ analyzers: () => Promise.resolve(statuses) }, log);
    expect(read()).toEqual({ models: { state: "loading" } });
    await vi.waitFor(() => {
      expect(read()).toEqual({
        "analysis:topic": { state: "ready", engine: "accurate", id: "topic-encoder", version: "3" },
        "analysis:intention": { state: "missing", engine: "models", reason: statuses[1]?.error },
      });
    });
    expect(error.mock.calls).toEqual([
      [{ analysis: "intention", engine: "models", reason: statuses[1]?.error }, "analysis is not available"],
    ]);
  });

  it("says that nothing is ready when no thread starts", async () => {
    const read = watchAnalyzers({ analyzers: () => Promise.reject(new Error("no threads")) }, log);
    await vi.waitFor(() => expect(read()).toEqual({ models: { state: "missing" } }));
  });
});

describe("watchMedia", () => {
  const READY: MediaAnalyzerStatus = { type: "object-id", engine: "builtin", ready: true };
  const DEAF: MediaAnalyzerStatus = { type: "speech", engine: "builtin", ready: false, error: "no model" };
  const HEARING: MediaAnalyzerStatus = { type: "speech", engine: "builtin", ready: true };

  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  /** Watches a pool that returns these statuses, one list per check. */
  function watch(...looks: MediaAnalyzerStatus[][]) {
    const lines: string[] = [];
    const take = (fields: object, text: string) => lines.push(`${text}: ${Object.values(fields).join(" ")}`);
    const log = { info: take, warn: take, error: take } as unknown as Parameters<typeof watchMedia>[1];
    const analyzers = vi.fn(async () => Promise.resolve(looks.shift() ?? []));
    return { states: watchMedia({ analyzers }, log), analyzers, lines };
  }

  it("says what is ready, and why something is not", async () => {
    const { states, lines } = watch([READY, DEAF]);
    expect(states()).toEqual({ media: { state: "loading" } });
    await vi.advanceTimersByTimeAsync(1);
    expect(states()).toEqual({
      "media:object-id": { state: "ready", engine: "builtin" },
      "media:speech": { state: "missing", engine: "builtin", reason: "no model" },
    });
    expect(lines).toEqual(["part of the analysis of files is missing: speech builtin no model object-id"]);
  });

  it("says that a program is out of date, and has it work", async () => {
    const old: MediaAnalyzerStatus = {
      type: "ffmpeg",
      engine: "builtin",
      ready: true,
      warning: "of 2018: install a newer",
    };
    const { states, lines } = watch([READY, old]);
    states();
    await vi.advanceTimersByTimeAsync(1);
    expect(states()["media:ffmpeg"]).toEqual({
      state: "ready",
      engine: "builtin",
      warning: "of 2018: install a newer",
    });
    expect(lines).toEqual(["a program for files is out of date: ffmpeg of 2018: install a newer"]);
  });

  it("notices that what was missing has come", async () => {
    const { states, analyzers, lines } = watch([READY, DEAF], [READY, DEAF], [READY, HEARING]);
    await vi.advanceTimersByTimeAsync(1);
    for (let look = 0; look < 3; look++) {
      states();
      states();
      await vi.advanceTimersByTimeAsync(11_000);
    }
    expect(states()).toMatchObject({ "media:speech": { state: "ready" } });
    expect(lines.slice(1)).toEqual(["analysis of files has become available: speech builtin"]);
    await vi.advanceTimersByTimeAsync(60_000);
    states();
    expect(analyzers).toHaveBeenCalledTimes(3);
  });
});
