import { describe, expect, it } from "vitest";
import { createAnalyzers } from "./textual-registry.js";
import { DEFAULT_ENGINES, TEXTUAL_ANALYSES } from "./analyses.js";

describe("createAnalyzers", () => {
  it("finds every analyzer ready, with a model, in both built-in tiers", async () => {
    for (const engines of [
      DEFAULT_ENGINES,
      Object.fromEntries(TEXTUAL_ANALYSES.map((type) => [type, "fast" as const])),
    ]) {
      for (const status of await createAnalyzers({ engines }).describe()) {
        expect(status).toMatchObject({ ready: true, engine: engines[status.type] });
        expect(status.model?.id).toBeTruthy();
        expect(status.model?.version).toBeTruthy();
      }
    }
  });

  it("loads an analyzer once", async () => {
    const analyzers = createAnalyzers({ engines: { intention: "fast" } });
    expect(await analyzers.load("intention")).toBe(await analyzers.load("intention"));
  });

  it("takes no other engine for one that there is not", async () => {
    const analyzers = createAnalyzers({ engines: { "personality-mb": "models" } });
    const reason = "there is no engine models for personality-mb, only fast";
    await expect(analyzers.load("personality-mb")).rejects.toThrow(reason);
    const statuses = await analyzers.describe();
    expect(statuses.filter(({ ready }) => !ready)).toEqual([
      { type: "personality-mb", engine: "models", ready: false, error: reason },
    ]);
  });
});
