import { MediaService } from "@hourglass/proto/media/v1/media_service";
import { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import {
  type AppError,
  createGrpcClient,
  createGrpcServer,
  createLogger,
  route,
  type Client,
} from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serviceTokenOf } from "../support/service-token.js";
import { TOKEN } from "./fake-services.js";
import { startReplica, type Replica } from "./replicas.js";
import { until } from "./transports.js";

/** Of the caller of the outer service. */
const SERVICE = serviceTokenOf(1);

/** The outer service's inner call takes no time, or a minute. */
const SHORT = { operationId: 1n, fileIds: [1n] };
const LONG = { operationId: 2n, fileIds: [1n] };

// Caller → outer service → inner service, each in a separate process from the calls' point of view.
describe("a call that a handler makes for its caller", () => {
  let inner: Replica;
  let outer: Client<typeof MediaService>;
  let outcome: unknown;
  const closers: (() => void | Promise<void>)[] = [];

  beforeEach(async () => {
    inner = await startReplica();
    const operations = await createGrpcClient(OperationService, inner.address, { channels: 1 });
    const claims = route(MediaService, {
      claimFiles: async ({ operationId }, { requestId, signal }) => {
        const wait = operationId === SHORT.operationId ? 0 : 60;
        const nested = operations.client.getOperation({ id: 7n, wait }, { token: TOKEN, requestId, signal });
        await nested.catch((error: unknown) => (outcome = error));
        await nested;
        return {};
      },
    });
    const { dispatcher } = inner.fake;
    const server = await createGrpcServer({ routes: [claims], dispatcher, log: createLogger("silent") });
    const address = `127.0.0.1:${await server.listen({ port: 0 })}`;
    const media = await createGrpcClient(MediaService, address, { channels: 1 });
    outer = media.client;
    closers.push(
      media.close,
      () => server.stop(0),
      operations.close,
      () => inner.server.stop(0),
    );
  });
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  it("carries its request id", async () => {
    await outer.claimFiles(SHORT, { token: SERVICE, requestId: "req-9" });
    expect(inner.fake.contexts[0]?.requestId).toBe("req-9");
  });

  it("is over with the caller's deadline, down to the last handler", async () => {
    await outer.claimFiles(SHORT, { token: SERVICE }); // connects first, so that the deadline does not pass meanwhile
    const call = outer.claimFiles(LONG, { token: SERVICE, timeoutMs: 500 });
    await expect(call).rejects.toMatchObject({ kind: "deadline" });
    await until(() => inner.fake.contexts[1]?.signal.aborted === true);
    await until(() => inner.fake.observed.includes("GetOperation cancelled"));
    await until(() => outcome !== undefined);
    // The outer service's own timer, or the caller hanging up, whichever it notices first.
    expect(["deadline", "cancelled"]).toContain((outcome as AppError).kind);
  });

  it("is over when the caller leaves, down to the last handler", async () => {
    const caller = new AbortController();
    const call = outer.claimFiles(LONG, { token: SERVICE, signal: caller.signal });
    await until(() => inner.fake.contexts.length === 1);
    caller.abort();
    await expect(call).rejects.toMatchObject({ kind: "cancelled" });
    await until(() => inner.fake.contexts[0]?.signal.aborted === true);
    await until(() => outcome !== undefined);
    expect(outcome).toMatchObject({ kind: "cancelled" });
  });
});
