import { afterEach, beforeEach, expect, it } from "vitest";
import { createMetrics } from "../telemetry/metrics.js";
import { createOpsServer, type OpsServer } from "./ops-server.js";
import { Dependencies } from "./readiness.js";

const dependencies = new Dependencies();
let ops: OpsServer;
let url: string;

beforeEach(async () => {
  ops = createOpsServer({ readiness: dependencies.read, metrics: createMetrics() });
  url = `http://127.0.0.1:${await ops.listen("127.0.0.1", 0)}`;
});
afterEach(() => ops.close());

it("says that the process lives while it is not ready yet", async () => {
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const waiting = await fetch(`${url}/readyz`);
  expect(waiting.status).toBe(503);
  expect(waiting.headers.get("retry-after")).toBe("5");
  expect(await waiting.json()).toEqual({ status: "not_ready", dependencies: { process: { state: "starting" } } });
  dependencies.setStarted();
  expect(await (await fetch(`${url}/readyz?verbose`)).json()).toEqual({ status: "ready", dependencies: {} });
});

it("serves the metrics of the process, and nothing else", async () => {
  expect(await (await fetch(`${url}/metrics`)).text()).toContain("process_cpu_seconds_total");
  for (const path of ["/", "/constructor", "/api/v2/products/api/operations"]) {
    expect((await fetch(url + path)).status).toBe(404);
  }
});

it("cannot take a port that is taken", async () => {
  const port = Number(new URL(url).port);
  const second = createOpsServer({ readiness: dependencies.read, metrics: createMetrics() });
  await expect(second.listen("127.0.0.1", port)).rejects.toMatchObject({ code: "EADDRINUSE" });
});
