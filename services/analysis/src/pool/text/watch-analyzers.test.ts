import { createLogger } from "@hourglass/runtime";
import { describe, expect, it, vi } from "vitest";
import type { AnalyzerStatus } from "../../registry/textual-registry.js";
import { watchAnalyzers } from "./watch-analyzers.js";

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
