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

it("is ready without optional parts, and names them", async () => {
  const speech = { state: "missing", reason: "Run npm run models -- pull speech." };
  const lacking = new Dependencies();
  lacking.know(() => ({ "media:speech": speech, "media:caption": { state: "ready" } }));
  lacking.setStarted();
  const other = createOpsServer({ readiness: lacking.read, metrics: createMetrics() });
  const otherUrl = `http://127.0.0.1:${await other.listen("127.0.0.1", 0)}`;
  expect(await (await fetch(`${otherUrl}/readyz`)).json()).toMatchObject({
    status: "ready",
    parts: { "media:speech": speech },
  });
  await other.close();
});

it("says what is unavailable without which some of the work can be done, and that the process stops", async () => {
  let stopping = false;
  const wanting = new Dependencies();
  wanting.want("media", () => Promise.reject(new Error("away")));
  wanting.setStarted();
  const other = createOpsServer({ readiness: wanting.read, metrics: createMetrics(), isStopping: () => stopping });
  const otherUrl = `http://127.0.0.1:${await other.listen("127.0.0.1", 0)}`;
  const degraded = await fetch(`${otherUrl}/readyz`);
  expect(degraded.status).toBe(200);
  expect(await degraded.json()).toEqual({ status: "degraded", dependencies: { media: { state: "away" } } });
  stopping = true;
  const stopped = await fetch(`${otherUrl}/readyz`);
  expect(stopped.status).toBe(503);
  expect(await stopped.json()).toMatchObject({ status: "stopping" });
  await other.close();
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
