import { PlatformStatus } from "@hourglass/proto/insight/v1/platform";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import { AnalyzerState } from "@hourglass/proto/operation/v1/operation_service";
import { AppError } from "@hourglass/runtime";
import { afterEach, describe, expect, it } from "vitest";
import { GatewayClient } from "../testing/gateway-under-test.js";

const api = new GatewayClient();
afterEach(() => api.stop());

interface Server {
  version: string;
  revision: string | null;
  demo: boolean;
  limits: Record<string, number | null>;
  analyses: { type: string; state: string; engine: string | null; reason: string | null; cure: string | null }[];
  languages: string[];
  platforms: { platform: string; state: string | null; missing: string | null }[];
  retention: { exports_days: number | null; postings: { platform: string; days: number | null }[] };
}

const platforms = [
  { platform: Platform.NEWS, status: PlatformStatus.WAITING },
  { platform: Platform.TWITTER, status: PlatformStatus.NOT_CONFIGURED, missing: "Set TWITTER_BEARER_TOKEN." },
];
const insight = { listPlatforms: () => Promise.resolve({ platforms }) };
/** No process has reported yet. */
const operation = { listAnalyzers: () => Promise.resolve({ analyzers: [] }) };

/** Starts a gateway whose process has these dependencies. */
async function serverWith(dependencies: Record<string, { state: string }>, token = "good"): Promise<Server> {
  await api.start({ insight, operation }, { readiness: () => Promise.resolve({ ready: true, dependencies }) });
  const answer = await api.get("/api/v2/server", { authorization: `Bearer ${token}` });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Server;
}

it("tells limits, retention, languages and platforms", async () => {
  const server = await serverWith({});
  expect(server).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
    revision: null,
    demo: false,
  });
  expect(server.limits).toMatchObject({ contents: 1000, text_characters: 20_000, media_seconds: 900 });
  expect(server.limits["requests_per_minute"]).toBeNull();
  expect(server.retention.exports_days).toBe(90);
  expect(server.retention.postings).toContainEqual({ platform: "linkedin", days: 180 });
  expect(server.retention.postings).toContainEqual({ platform: "news", days: null });
  expect(server.languages).toEqual(expect.arrayContaining(["en", "de", "zh"]));
  expect(server.platforms).toEqual([
    { platform: "news", state: "waiting", missing: null },
    { platform: "twitter", state: "not_configured", missing: "Set TWITTER_BEARER_TOKEN." },
  ]);
});

it("names the platforms, without their states, to a company that collects from none", async () => {
  const { platforms: named } = await serverWith({}, "no-insight");
  expect(named).toContainEqual({ platform: "news", state: null, missing: null });
});

it("tells of each analysis its engine and state, the reason and the cure", async () => {
  const missing = {
    state: "missing",
    engine: "models",
    reason: "its model is absent: run npm run models -- pull topic",
  };
  const dependencies = {
    "analysis:sentiment-simple": { state: "ready", engine: "accurate", id: "sentiment-simple-encoder", version: "1" },
    "analysis:topic": missing,
    "analysis:intention": { state: "missing", engine: "models", reason: "the engine models cannot be loaded" },
    "media:ffmpeg": { state: "ready", engine: "builtin", warning: "it dates from 2018: install a current one" },
    media: { state: "loading" },
  };
  const { analyses } = await serverWith(dependencies);
  const of = (type: string) => analyses.find((each) => each.type === type);
  expect(of("sentiment-simple")).toMatchObject({ state: "ready", engine: "accurate", reason: null, cure: null });
  expect(of("topic")).toMatchObject({
    state: "missing",
    reason: missing.reason,
    cure: "Run npm run models -- pull topic.",
  });
  expect(of("intention")).toMatchObject({ cure: "Run npm run models -- pull intention." });
  expect(of("ffmpeg")).toMatchObject({ state: "ready", reason: "it dates from 2018: install a current one" });
  expect(of("caption")).toMatchObject({ state: "loading", engine: null, cure: "Wait until it is loaded." });
});

describe("a gateway on its own", () => {
  const services = { operation: { state: "ready" }, media: { state: "ready" } };
  const readiness = () => Promise.resolve({ ready: true, dependencies: services });

  it("tells what the processes that analyze have reported", async () => {
    const analyzers = [
      { type: "topic", state: AnalyzerState.READY, engine: "accurate", model: { id: "topic-encoder", version: "2" } },
      { type: "speech", state: AnalyzerState.MISSING, reason: "no model: run npm run models -- pull speech" },
    ];
    await api.start({ insight, operation: { listAnalyzers: () => Promise.resolve({ analyzers }) } }, { readiness });
    const { analyses } = (await (await api.get("/api/v2/server")).json()) as Server;
    const of = (type: string) => analyses.find((each) => each.type === type);
    expect(of("topic")).toMatchObject({ state: "ready", engine: "accurate", model: "topic-encoder", reason: null });
    expect(of("speech")).toMatchObject({ state: "missing", cure: "Run npm run models -- pull speech." });
    expect(of("intention")).toMatchObject({ state: "unknown", reason: "Other processes do this work." });
  });

  it("does not know it when it may not ask, or nobody answers", async () => {
    for (const kind of ["forbidden", "unavailable"] as const) {
      const listAnalyzers = () => Promise.reject(new AppError(kind, "No."));
      await api.start({ insight, operation: { listAnalyzers } }, { readiness });
      const { analyses } = (await (await api.get("/api/v2/server")).json()) as Server;
      expect(new Set(analyses.map(({ state }) => state))).toEqual(new Set(["unknown"]));
      await api.stop();
    }
  });
});

it("gives the cards of the models as data", async () => {
  await api.start();
  const { models } = (await (await api.get("/api/v2/models")).json()) as {
    models: {
      analysis: string;
      engines: { engine: string; scores: { metric: string; interval: number[] | null }[] }[];
    }[];
  };
  const sarcasm = models
    .find(({ analysis }) => analysis === "sentiment-simple")
    ?.engines.find(({ engine }) => engine === "accurate")
    ?.scores.find(({ metric, interval }) => metric === "failures" && interval !== null);
  expect(sarcasm?.interval).toHaveLength(2);
  expect(models.map(({ analysis }) => analysis)).toEqual(
    expect.arrayContaining(["topic", "caption", "language", "speech"]),
  );
});

it("asks for a token, and for no product", async () => {
  await api.start({ insight });
  for (const path of ["/api/v2/server", "/api/v2/models"]) {
    expect((await api.get(path, { authorization: "" })).status).toBe(401);
    expect((await api.get(path, { authorization: "Bearer no-api" })).status).toBe(200);
  }
});
