import { createRequire } from "node:module";
import path from "node:path";
import { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import { ExportService } from "@hourglass/proto/export/v1/export_service";
import { InsightService } from "@hourglass/proto/insight/v1/insight_service";
import { MediaService } from "@hourglass/proto/media/v1/media_service";
import { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import { createGrpcClient } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { statusesWithoutToken } from "../grpc/every-method.js";
import { Deployment } from "../support/deployment.js";
import { LIMITS } from "../support/limits.js";
import { freePort } from "../support/free-port.js";
import { embeddedTestStorage, type TestStorage } from "../support/test-storage.js";
import { Part } from "../support/part.js";
import { EMAIL, PASSWORD, sender, TEST_SETTINGS } from "../support/server.js";

const UNAUTHENTICATED = 16;
const GET_USER = "/hourglass.auth.v1.AuthService/GetUser";
const OPERATIONS = "/api/v2/products/api/operations";

/** Gets a token like the operation service. */
async function tokenOfService(deployment: Deployment): Promise<string> {
  const { client, close } = await createGrpcClient(AuthService, deployment.address("auth"));
  const request = { service: "operation", companyId: 1n, secret: TEST_SETTINGS.SERVICE_SECRET };
  try {
    return (await client.issueServiceToken(request)).token;
  } finally {
    close();
  }
}

let testStorage: TestStorage;
beforeEach(async () => {
  testStorage = await embeddedTestStorage();
});
afterEach(() => testStorage.remove());

describe("every part in its own process", () => {
  it("carries an operation from REST to its result, and ends in order", { timeout: 120_000 }, async () => {
    const deployment = await Deployment.prepare({
      topology: "processes",
      env: { LOG_LEVEL: "info", ...TEST_SETTINGS, ...testStorage.env },
    });
    deployment.start();
    try {
      await deployment.ready();
      const send = sender(deployment.url);
      const user = { email: EMAIL, password: PASSWORD };
      const signedIn = await send("POST", "/api/v1/users/sign_in", { body: { user } });
      const authorization = signedIn.headers.get("authorization") ?? "";
      const body = { type: "text", analyses: ["sentiment-simple"], contents: ["I love it"] };
      const created = await send("POST", OPERATIONS, { authorization, body });
      expect(created.status).toBe(201);
      const location = created.headers.get("location") ?? "";
      expect((await send("GET", `${location}?wait=60`, { authorization })).body).toMatchObject({ status: "done" });
      expect((await send("GET", "/readyz")).body).toEqual({ status: "ready" });
      const analysisState = async () => {
        const { analyses } = (await send("GET", "/api/v2/server", { authorization })).body as {
          analyses: { type: string; state: string; engine: string | null }[];
        };
        return analyses.find(({ type }) => type === "sentiment-simple");
      };
      const known = { state: "ready", engine: "accurate" };
      await vi.waitFor(async () => expect(await analysisState()).toMatchObject(known), {
        timeout: 60_000,
        interval: 200,
      });
      // Insight analyzes nothing in its own process: a worker explains the posting for it.
      const query = { keywords: "kestrel", platforms: ["news"], dimensions: ["textual"] };
      const insight = await send("POST", "/api/v2/products/insight", { authorization, body: { query } });
      const postings = `${insight.headers.get("location")}/postings`;
      const written = { text_of_post: "I love kestrels.", post_date: "1/15/2026", post_time: "12:00:00" };
      const posting = JSON.stringify({ platform: "news", ...written });
      const headers = { "content-type": "application/x-ndjson" };
      expect((await send("POST", postings, { authorization, headers, body: posting })).status).toBe(200);
      const listed = await vi.waitFor(
        async () => {
          const { body } = await send("GET", postings, { authorization });
          const [first] = (body as { postings: { more_info: { key: string } }[] }).postings;
          expect(first).toBeDefined();
          return first;
        },
        { timeout: 60_000, interval: 200 },
      );
      const explained = await send("GET", `${postings}/${listed?.more_info.key}?explain=true`, { authorization });
      expect(explained.status, explained.text).toBe(200);
      expect((explained.body as { analyses: object[] }).analyses).toHaveLength(5);
      expect((await send("GET", "/metrics")).status).toBe(404);
      const service = await tokenOfService(deployment);
      const asService = await send("GET", location, { authorization: `Bearer ${service}` });
      expect(asService.status, "REST is for users").toBe(401);
      const claim = { operationId: 1n, fileIds: [1n] };
      const media = await createGrpcClient(MediaService, deployment.address("media"));
      const byUser = media.client.claimFiles(claim, { token: authorization.replace("Bearer ", "") });
      await expect(byUser).rejects.toMatchObject({ kind: "forbidden", code: "services_only" });
      await expect(media.client.claimFiles(claim, { token: service })).rejects.toMatchObject({ kind: "invalid" });
      media.close();
    } finally {
      expect(await deployment.end("SIGTERM")).toEqual([]);
    }
    expect(deployment.errors).toEqual([]);
  });

  it("counts the requests of a user together on both ports of the gateway", { timeout: 60_000 }, async () => {
    const env = { LOG_LEVEL: "warn", ...TEST_SETTINGS, RATE_LIMIT_PER_MINUTE: "2", ...testStorage.env };
    const deployment = await Deployment.prepare({ topology: "processes", env });
    const parts = [deployment.part("auth"), deployment.part("gateway")];
    for (const part of parts) part.start();
    try {
      for (const part of parts) await part.ready();
      const { client, close } = await createGrpcClient(AuthService, new URL(deployment.grpcUrl).host);
      const { token } = await client.signIn({ user: { email: EMAIL, password: PASSWORD } });
      const byHttp = () => sender(deployment.url)("POST", GET_USER, { authorization: `Bearer ${token}`, body: {} });
      expect((await client.getUser({}, { token })).user?.email).toBe(EMAIL);
      expect((await byHttp()).status).toBe(200);
      await expect(client.getUser({}, { token })).rejects.toMatchObject({ kind: "too-many" });
      expect((await byHttp()).body).toMatchObject({ code: "resource_exhausted" });
      close();
    } finally {
      expect(await deployment.end("SIGTERM")).toEqual([]);
    }
  });

  it.each([
    ["auth", AuthService, ["SignIn", "ListKeys", "IssueServiceToken"]],
    ["media", MediaService, ["ReadLinkedFile"]],
    ["operation", OperationService, []],
    ["insight", InsightService, []],
    ["export", ExportService, ["ReadLinkedExport"]],
  ] as const)("lets nobody without a token past the port of %s", async (name, service, open) => {
    const [grpc, ops] = [await freePort(), await freePort()];
    const part = new Part({
      name,
      entry: path.join(path.dirname(createRequire(import.meta.url).resolve(`@hourglass/${name}`)), "server.js"),
      env: { ...testStorage.env, GRPC_PORT: String(grpc), OPS_PORT: String(ops), LOG_LEVEL: "warn", ...TEST_SETTINGS },
      opsUrl: `http://127.0.0.1:${ops}`,
      onLog: () => undefined,
    });
    part.start();
    try {
      await part.ready();
      const admitted = [...(await statusesWithoutToken(grpc, [service]))].flatMap(([method, status]) =>
        status === UNAUTHENTICATED ? [] : [method],
      );
      expect(admitted.sort()).toEqual(open.map((method) => `/${service.typeName}/${method}`).sort());
    } finally {
      await part.end("SIGTERM");
    }
  });

  it("has no worker ready without RabbitMQ, since all work comes by the queue", async () => {
    const [grpc, ops, closed] = [await freePort(), await freePort(), await freePort()];
    const env = { ...testStorage.env, ...TEST_SETTINGS, LOG_LEVEL: "fatal", WORKER_ROLES: "insight.sweep" };
    const opsUrl = `http://127.0.0.1:${ops}`;
    const part = new Part({
      name: "worker",
      entry: createRequire(import.meta.url)
        .resolve("@hourglass/worker")
        .replace("index.js", "main.js"),
      env: { ...env, GRPC_PORT: String(grpc), OPS_PORT: String(ops), AMQP_URL: `amqp://127.0.0.1:${closed}/` },
      opsUrl,
      onLog: () => undefined,
    });
    part.start();
    try {
      await vi.waitFor(async () => {
        const state: unknown = await (await fetch(`${opsUrl}/readyz`)).json();
        const dependencies = { store: { state: "ready" }, queue: { state: "away" } };
        expect(state).toMatchObject({ status: "not_ready", dependencies });
      }, LIMITS.condition);
    } finally {
      await part.end("SIGTERM");
    }
  });

  it.each(["auth", "operation", "export"])("does not start %s without the secret of the services", async (name) => {
    const part = new Part({
      name,
      entry: path.join(path.dirname(createRequire(import.meta.url).resolve(`@hourglass/${name}`)), "server.js"),
      env: { ...testStorage.env, ...TEST_SETTINGS, GRPC_PORT: "0", OPS_PORT: "0", SERVICE_SECRET: "" },
      opsUrl: "http://127.0.0.1:9",
      onLog: () => undefined,
    });
    part.start();
    expect(await part.ended(60_000)).toEqual({ code: 1, signal: null });
    const said = part.lastLines.join("\n");
    expect(said).toMatch(/^Could not start: Wrong configuration: SERVICE_SECRET is not set.*$/m);
  });
});
