import { readConfig } from "@hourglass/runtime";
import { afterEach, describe, expect, expectTypeOf, it } from "vitest";
import type { Classification, Topic } from "../types.js";
import { settingsOf } from "../config.js";
import { spellModelId } from "../models/model.js";
import { statesOf } from "../pool/monitoring.js";
import { type AnalysisPool, createAnalysisPool } from "../pool/text-pool.js";
import { type ResultsWithToy, TOY, WITH_TOY } from "../testing/toy-analysis.js";
import { ANALYSES, type ResultOf } from "./analyses.js";
import { configuredModels } from "./model-administration.js";

/** Compiled, since threads of the pool run it. */
const WORKER = new URL("../../dist/testing/toy-worker.js", import.meta.url);

const configOf = (env: Record<string, string>) => readConfig(env, { analysis: settingsOf(WITH_TOY) }).analysis;

describe("an analysis that only the registry knows", () => {
  let pool: AnalysisPool | undefined;
  const open = (env: Record<string, string> = {}): AnalysisPool =>
    (pool = createAnalysisPool({ ...configOf(env), threads: 1, worker: WORKER }));
  afterEach(() => pool?.close());

  it("has variables for its engine and its model, which accept what it has", () => {
    const { engines, models } = configOf({ ENGINE_LOUDNESS: "models", MODEL_LOUDNESS: "acme/louder" });
    expect([engines[TOY], models[TOY]]).toEqual(["models", "acme/louder"]);
    expect(() => configOf({ ENGINE_LOUDNESS: "accurate" })).toThrow(
      'ENGINE_LOUDNESS is "accurate", allowed: fast, models',
    );
  });

  it("has the result that its descriptor names, beside those of the others", () => {
    expectTypeOf<ResultsWithToy["loudness"]>().toEqualTypeOf<Classification>();
    expectTypeOf<ResultsWithToy["topic"]>().toEqualTypeOf<Topic[]>();
    expectTypeOf<ResultOf["intention"]>().toEqualTypeOf<Classification>();
  });

  it("stands in the list of models with the one it is configured with", () => {
    const modelsOf = (env: Record<string, string>) => {
      const found = configuredModels(configOf(env), WITH_TOY).find(({ type }) => type === TOY);
      return found && [found.engine, spellModelId(found.model)];
    };
    expect(modelsOf({})).toEqual(["fast", "acme/loudness"]);
    expect(modelsOf({ ENGINE_LOUDNESS: "models", MODEL_LOUDNESS: "acme/louder@v2" })).toEqual([
      "models",
      "acme/louder@v2",
    ]);
  });

  it("is carried out in the threads of the pool, with its model and the languages it is made for", async () => {
    const texts = ["WHY ARE WE ALL SHOUTING IN HERE TODAY?", "Das ist heute wieder ein sehr ruhiger Nachmittag."];
    const timed: string[] = [];
    const entries = await open().analyze(texts, [TOY, "spam-detection"], {
      onTimed: ({ analysis }) => timed.push(analysis),
    });
    expect(entries.map(({ results, errors }) => [results[TOY], errors])).toEqual([
      [{ value: "loud", prob: 0.75 }, {}],
      [{ value: "calm", prob: 0.75 }, {}],
    ]);
    expect(entries.map(({ supported }) => supported[TOY])).toEqual([true, false]);
    expect(entries[0]?.models[TOY]).toEqual({ id: "loudness-rules", version: "1" });
    expect(new Set(timed)).toEqual(new Set([TOY, "spam-detection"]));
  });

  it("says whether it is ready, and why not", async () => {
    const ready = statesOf("analysis", await open().analyzers());
    expect(ready["analysis:loudness"]).toEqual({ state: "ready", engine: "fast", id: "loudness-rules", version: "1" });
    expect(Object.keys(ready)).toHaveLength(Object.keys(ANALYSES.textual).length + 1);
    await pool?.close();
    const missing = statesOf("analysis", await open({ ENGINE_LOUDNESS: "models" }).analyzers());
    expect(missing["analysis:loudness"]).toEqual({
      state: "missing",
      engine: "models",
      reason: "the engine models cannot be loaded: its model is absent",
    });
  });
});
