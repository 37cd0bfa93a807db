import { createRequire } from "node:module";
import path from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { freePort } from "../support/free-port.js";
import { type TestStorage, openTestStorage } from "../support/test-storage.js";
import { Part } from "../support/part.js";
import { EMAIL, PASSWORD, TEST_SETTINGS } from "../support/server.js";
import { type ReceivedSpan, TraceCollector } from "./trace-collector.js";

const MAIN = path.join(path.dirname(createRequire(import.meta.url).resolve("@hourglass/standalone")), "main.js");
const OPERATIONS = "/api/v2/products/api/operations";
const TEXT = "I love the new museum in Lisbon!";
const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const CLIENT_SPAN_ID = "00f067aa0ba902b7";
const TRACEPARENT = `00-${TRACE_ID}-${CLIENT_SPAN_ID}-01`;

let testStorage: TestStorage;
let product: Part;
let url: string;
let log: Record<string, unknown>[];

beforeEach(async () => {
  testStorage = await openTestStorage();
  log = [];
});

afterEach(async () => {
  await product.end("SIGKILL");
  await testStorage.remove();
});

async function start(env: Record<string, string>): Promise<void> {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  product = new Part({
    name: "product",
    entry: MAIN,
    env: { ...TEST_SETTINGS, ...testStorage.env, ...env, PORT: String(port) },
    opsUrl: url,
    onLog: (_, line) => log.push(JSON.parse(line) as Record<string, unknown>),
  });
  product.start();
  await product.ready();
}

/** Creates an operation in the client's trace and waits for its result. */
async function carryOut(): Promise<string> {
  const signIn = await fetch(`${url}/api/v1/users/sign_in`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ user: { email: EMAIL, password: PASSWORD } }),
  });
  const authorization = signIn.headers.get("authorization") ?? "";
  const created = await fetch(url + OPERATIONS, {
    method: "POST",
    headers: { authorization, "content-type": "application/json", traceparent: TRACEPARENT },
    body: JSON.stringify({ type: "text", analyses: ["sentiment-simple"], contents: [TEXT] }),
  });
  const { id } = (await created.json()) as { id: number };
  const read = await fetch(`${url}${OPERATIONS}/${id}?wait=60`, { headers: { authorization } });
  expect(await read.json()).toMatchObject({ status: "done" });
  return authorization;
}

it("shows a request from the gateway to the stored result as one trace", async () => {
  const collector = await TraceCollector.listen();
  await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
  const authorization = await carryOut();
  for (const probe of ["healthz", "readyz?verbose", "metrics?"]) await fetch(`${url}/${probe}`);
  expect(await product.end("SIGTERM")).toEqual({ code: 0, signal: null });
  await collector.close();

  const trace = collector.spans.filter(({ traceId }) => traceId === TRACE_ID);
  const named = (name: string): ReceivedSpan => {
    const [found, ...others] = trace.filter((span) => span.name === name);
    if (found === undefined || others.length > 0) throw new Error(`not one span of the trace is named ${name}`);
    return found;
  };
  const request = named(`POST ${OPERATIONS}`);
  const call = named("hourglass.operation.v1.OperationService/CreateOperation");
  const send = named("send operation.run");
  const run = named("process operation.run");
  const analyze = named("analyze texts");
  const commit = named("commit operation");
  expect([request.kind, call.kind, send.kind, run.kind]).toEqual(["server", "internal", "producer", "consumer"]);
  expect([request.parentId, call.parentId]).toEqual([CLIENT_SPAN_ID, request.id]);
  expect([send.parentId, run.parentId]).toEqual([call.id, call.id]);
  expect([analyze.parentId, commit.parentId]).toEqual([run.id, run.id]);
  expect(request.attributes).toMatchObject({ "http.route": OPERATIONS, "http.response.status_code": 201 });
  expect(run.attributes).toMatchObject({ "hourglass.operation.id": 1, "hourglass.contents": 1 });
  expect(trace.map(({ service, failed }) => [service, failed])).toEqual(
    trace.map(() => ["hourglass-standalone", false]),
  );

  const known = JSON.stringify(collector.spans);
  for (const secret of [TEXT, EMAIL, PASSWORD, authorization.replace("Bearer ", "")])
    expect(known).not.toContain(secret);
  expect(
    collector.spans.map(({ name }) => name).filter((name) => /\/(healthz|readyz|metrics)|Health/.test(name)),
  ).toEqual([]);
  const lines = log.filter(({ msg, route, method }) => msg === "request" && route === OPERATIONS && method === "POST");
  expect(lines.map(({ trace_id }) => trace_id)).toEqual([TRACE_ID]);
});

it("works without the configured collector, and says so once", async () => {
  await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    OTEL_EXPORTER_OTLP_TIMEOUT: "200",
    OTEL_BSP_SCHEDULE_DELAY: "50",
  });
  await carryOut();
  const complaints = () => log.filter(({ msg }) => String(msg).startsWith("traces are lost"));
  await vi.waitFor(() => expect(complaints()).toHaveLength(1));
  expect(complaints()[0]).toMatchObject({
    level: "warn",
    reason: expect.stringMatching(/^[^{\n]*ECONNREFUSED[^\n]*$/) as string,
  });
  await carryOut();
  expect(await product.end("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(complaints()).toHaveLength(1);
  expect(log.filter(({ level }) => level === "error" || level === "fatal")).toEqual([]);
});

it("leaves no trace with tracing off", async () => {
  await start({});
  await carryOut();
  await product.end("SIGTERM");
  expect(log.filter(({ msg }) => msg === "request").length).toBeGreaterThan(2);
  expect(log.filter((line) => "trace_id" in line)).toEqual([]);
});

it("leads from the request to its operation and its worker, and back", async () => {
  await start({});
  await carryOut();
  await product.end("SIGTERM");
  const lines = (msg: string) => log.filter((line) => line["msg"] === msg);
  const [created, read] = lines("request").filter(({ route }) => String(route).startsWith(OPERATIONS));
  expect([created?.["method"], read?.["method"]]).toEqual(["POST", "GET"]);
  expect([created?.["operationId"], read?.["operationId"]]).toEqual([1, 1]);
  expect(lines("operation ended")).toMatchObject([{ operationId: 1, requestId: created?.["request_id"] }]);
});
