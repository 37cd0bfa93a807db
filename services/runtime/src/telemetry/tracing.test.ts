import { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import { ExportFormat } from "@hourglass/proto/export/v1/export";
import { Health } from "@hourglass/proto/grpc/health/v1/health";
import { ExportService } from "@hourglass/proto/export/v1/export_service";
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { afterEach, describe, expect, it } from "vitest";
import { AppError } from "../errors/app-error.js";
import { createLogger } from "../log.js";
import { type Principal, type Handlers, route } from "../rpc/service.js";
import { Dispatcher, createInProcessClient } from "../rpc/dispatch.js";
import { createGrpcClient, createGrpcServer } from "../rpc/grpc.js";
import { traceClient } from "../rpc/rpc-spans.js";
import { exportSpans } from "./opentelemetry.js";
import { activeTrace, inSpan, isTracing, startSpan } from "./spans.js";
import { startTracing, type Tracing } from "./tracing.js";

const log = createLogger("silent");
const SOMEBODY: Principal = {
  userId: 1,
  role: "admin",
  companyId: 1,
  companyName: "Acme",
  email: "a@acme.example",
  firstName: "",
  lastName: "",
  products: [],
};
const dispatcher = new Dispatcher({ authenticate: () => Promise.resolve(SOMEBODY), reportFailure: () => undefined });

let tracing: Tracing | undefined;
const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  await tracing?.stop();
  tracing = undefined;
});

/** Ended spans, in the order in which they ended. */
function trace(): () => ReadableSpan[] {
  const exporter = new InMemorySpanExporter();
  const processor = new SimpleSpanProcessor(exporter);
  tracing = exportSpans({ serviceName: undefined, process: "part", log, processor });
  return () => exporter.getFinishedSpans();
}

/** The port of a server of handlers, which also has the health service. */
async function served(handlers: Handlers<typeof OperationService>): Promise<number> {
  const server = await createGrpcServer({ routes: [route(OperationService, handlers)], dispatcher, log });
  ends.push(() => server.stop(1000));
  return server.listen({ port: 0 });
}

/** A client of handlers over a port. */
async function overPort(handlers: Handlers<typeof OperationService>) {
  const { client, close } = await createGrpcClient(OperationService, `127.0.0.1:${await served(handlers)}`);
  ends.unshift(close);
  return client;
}

describe("with tracing off", () => {
  it("makes no spans and knows of no trace", async () => {
    tracing = await startTracing({ config: { enabled: false, serviceName: undefined }, process: "part", log });
    expect(isTracing()).toBe(false);
    expect(startSpan({ name: "work" })).toBeUndefined();
    expect(await inSpan({ name: "work" }, (span) => Promise.resolve([span, activeTrace()]))).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe("with tracing on", () => {
  it("nests work in work, also across asynchronous steps", async () => {
    const ended = trace();
    await inSpan({ name: "outer" }, async () => {
      await Promise.resolve();
      await inSpan({ name: "inner" }, () => Promise.resolve());
    });
    const [inner, outer] = ended();
    expect(inner?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId);
    expect(outer?.parentSpanContext).toBeUndefined();
    expect(outer?.resource.attributes["service.name"]).toBe("hourglass-part");
  });

  it("continues a trace that was stored, and begins one for what has none", async () => {
    const ended = trace();
    const parent = { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", tracestate: "a=1" };
    await inSpan({ name: "continued", parent }, () => {
      expect(activeTrace()).toMatchObject({ tracestate: "a=1" });
      return Promise.resolve();
    });
    await inSpan({ name: "outer" }, () => inSpan({ name: "new", parent: null }, () => Promise.resolve()));
    await inSpan({ name: "broken", parent: { traceparent: "nonsense" } }, () => Promise.resolve());
    const [continued, fresh, outer, broken] = ended();
    expect(continued?.parentSpanContext?.spanId).toBe("00f067aa0ba902b7");
    expect(fresh?.spanContext().traceId).not.toBe(outer?.spanContext().traceId);
    expect(broken?.parentSpanContext).toBeUndefined();
  });

  it("marks what failed by the code of the error, without its message", async () => {
    const ended = trace();
    const failure = new AppError("unavailable", "Ann's file is unavailable.", { code: "store_full" });
    await expect(inSpan({ name: "work" }, () => Promise.reject(failure))).rejects.toBe(failure);
    const [work] = ended();
    expect(work?.status).toEqual({ code: 2 });
    expect(work?.attributes).toEqual({ "error.type": "store_full" });
    expect(work?.events).toEqual([]);
  });

  it("carries the trace of a call over a port to the work behind it", async () => {
    const ended = trace();
    const client = await overPort({ listOperations: () => inSpan({ name: "work" }, () => Promise.resolve({})) });
    await inSpan({ name: "request" }, () => client.listOperations({}, { token: "t", requestId: "r-1" }));
    const [work, served, called, request] = ended();
    const name = "hourglass.operation.v1.OperationService/ListOperations";
    expect([served?.name, called?.name]).toEqual([name, name]);
    expect([served?.kind, called?.kind]).toEqual([1, 2]);
    const parents = [work, served, called].map((span) => span?.parentSpanContext?.spanId);
    expect(parents).toEqual([served, called, request].map((span) => span?.spanContext().spanId));
    expect(served?.attributes).toMatchObject({ "hourglass.request_id": "r-1", "rpc.grpc.status_code": 0 });
  });

  it("does not trace health probes, neither where they are sent nor where they are served", async () => {
    const ended = trace();
    const { client, close } = await createGrpcClient(Health, `127.0.0.1:${await served({})}`);
    ends.unshift(close);
    await inSpan({ name: "look" }, () => client.check({}));
    expect(ended().map(({ name }) => name)).toEqual(["look"]);
  });

  it("blames a server for its own failures only, and tells its callers of all", async () => {
    const ended = trace();
    const client = await overPort({
      listOperations: () => Promise.reject(new AppError("not-found", "There is none.")),
      getOperation: () => Promise.reject(new Error("a bug")),
    });
    await expect(client.listOperations({}, { token: "t" })).rejects.toMatchObject({ kind: "not-found" });
    await expect(client.getOperation({ id: 1n }, { token: "t" })).rejects.toMatchObject({ kind: "internal" });
    expect(ended().map(({ kind, status }) => [kind, status.code])).toEqual([
      [1, 0],
      [2, 2],
      [1, 2],
      [2, 2],
    ]);
  });

  it("keeps a stream in its span, also when its reader stops early", async () => {
    const ended = trace();
    const items = route(ExportService, {
      async *readExport() {
        for (let item = 0; item < 3; item++) {
          yield {};
          await inSpan({ name: `item ${item}` }, () => Promise.resolve());
        }
      },
    });
    const client = createInProcessClient(ExportService, items, dispatcher);
    const streamed = traceClient(ExportService, client);
    expect(Object.keys(streamed)).toEqual(Object.keys(client));
    for await (const _ of streamed.readExport({ id: 1n, format: ExportFormat.JSON }, { token: "t" }))
      if (ended().length > 0) break;
    const [item, ...calls] = ended();
    const [served, called] = calls;
    expect(item?.parentSpanContext?.spanId).toBe(served?.spanContext().spanId);
    expect(served?.parentSpanContext?.spanId).toBe(called?.spanContext().spanId);
    expect(served?.attributes).toMatchObject({ "rpc.grpc.status_code": 1, "rpc.system": "in-process" });
  });
});
