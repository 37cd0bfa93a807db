import { MediaService } from "@hourglass/proto/media/v1/media_service";
import { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import { AppError, type Client } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CHUNK_BYTES, detailed, FAILING, FakeServices, TOKEN } from "./fake-services.js";
import { connectInProcess, connectOverPort, until, type Connect, type Connected } from "./transports.js";

const TRANSPORTS: [string, Connect][] = [
  ["in-process", connectInProcess],
  ["over a port", connectOverPort],
];

// The same promises on both transports: handlers and callers cannot tell them apart.
describe.each(TRANSPORTS)("a call %s", (_name, connect) => {
  let fake: FakeServices;
  let connected: Connected;
  let operations: Client<typeof OperationService>;
  let media: Client<typeof MediaService>;
  const as = { token: TOKEN };

  beforeEach(async () => {
    fake = new FakeServices();
    connected = await connect(fake);
    operations = await connected.client(OperationService);
    media = await connected.client(MediaService);
  });
  afterEach(() => connected.close());

  it("carries request and answer, token and request id", async () => {
    const { operation } = await operations.getOperation({ id: 7n }, { ...as, requestId: "req-1" });
    expect(operation?.id).toBe(7n);
    expect(fake.contexts[0]).toMatchObject({ token: TOKEN, requestId: "req-1", principal: { companyId: 2 } });
    expect(fake.observed).toEqual(["GetOperation ok"]);
  });

  it("gets its own request id when the caller names none", async () => {
    await operations.getOperation({ id: 7n }, as);
    expect(fake.contexts[0]?.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("without a token is unauthenticated at every method that is not open", async () => {
    const open = new Set(["SignIn", "ListKeys", "IssueServiceToken", "ReadLinkedExport", "ReadLinkedFile"]);
    for (const { service } of fake.routes) {
      const client = (await connected.client(service)) as Record<string, (request: unknown) => unknown>;
      for (const method of service.methods) {
        const call = client[method.localName]?.(method.methodKind === "client_streaming" ? nothing() : {});
        const kind = await outcomeOf(call).then(
          () => "ok",
          (error: unknown) => AppError.from(error).kind,
        );
        expect([method.name, kind === "unauthenticated"]).toEqual([method.name, !open.has(method.name)]);
      }
    }
  });

  it("with a bad token is unauthenticated, and its request is not looked at", async () => {
    const call = operations.getOperation({ id: 0n }, { token: "forged" });
    await expect(call).rejects.toMatchObject({ kind: "unauthenticated", message: "The token is not valid." });
  });

  it("is forbidden when the product is not active", async () => {
    fake.products = [{ uid: "api", active: false }];
    const call = operations.getOperation({ id: 7n }, as);
    await expect(call).rejects.toMatchObject({ kind: "forbidden", code: "product_inactive" });
  });

  it("names every wrong field before the handler is reached", async () => {
    const call = operations.getOperation({ id: 0n, wait: 61 }, as);
    await expect(call).rejects.toMatchObject({
      kind: "invalid",
      code: "invalid_request",
      violations: [{ field: "id" }, { field: "wait" }],
    });
    expect(fake.contexts).toEqual([]);
  });

  it("fails as its handler failed: kind, code, sentence, violations, time to wait", async () => {
    const { kind, code, message, violations, retryAfterMs } = detailed();
    const call = operations.getOperation({ id: FAILING.withDetails }, as);
    await expect(call).rejects.toBeInstanceOf(AppError);
    await expect(operations.getOperation({ id: FAILING.withDetails }, as)).rejects.toMatchObject({
      ...{ kind, code, message, violations, retryAfterMs },
    });
  });

  it("tells no internals of an unexpected failure, and reports them", async () => {
    const error = AppError.from(await outcomeOf(operations.getOperation({ id: FAILING.unexpectedly }, as)).catch(id));
    expect(error.kind).toBe("internal");
    expect(`${error.message} ${error.code} ${JSON.stringify(error)}`).not.toMatch(/hunter2|10\.0\.0\.7/);
    expect(String(fake.reported[0])).toContain("hunter2");
    expect(fake.observed).toEqual(["GetOperation internal"]);
  });

  it("is unimplemented where there is no handler", async () => {
    await expect(operations.listOperations({}, as)).rejects.toMatchObject({ kind: "unimplemented" });
  });

  it("ends with its deadline, for the handler too", async () => {
    await operations.getOperation({ id: 7n }, as); // connects first, so that the deadline does not pass meanwhile
    const call = operations.getOperation({ id: 7n, wait: 60 }, { ...as, timeoutMs: 500 });
    await expect(call).rejects.toMatchObject({ kind: "deadline" });
    await until(() => fake.contexts[1]?.signal.aborted === true);
    // The server's deadline is later by the latency of the call: the caller may leave before it passes.
    await until(() => fake.observed.some((seen) => /^GetOperation (deadline|cancelled)$/.test(seen)));
  });

  it("ends when its caller leaves, for the handler too", async () => {
    const caller = new AbortController();
    const call = operations.getOperation({ id: 7n, wait: 60 }, { ...as, signal: caller.signal });
    await until(() => fake.contexts.length === 1);
    caller.abort();
    await expect(call).rejects.toMatchObject({ kind: "cancelled" });
    await until(() => fake.contexts[0]?.signal.aborted === true);
    await until(() => fake.observed.includes("GetOperation cancelled"));
  });

  it("is not begun for a caller who has left already", async () => {
    const signal = AbortSignal.abort();
    await expect(operations.getOperation({ id: 7n }, { ...as, signal })).rejects.toMatchObject({ kind: "cancelled" });
    expect(fake.contexts).toEqual([]);
  });

  it("streams answers in order, to the end", async () => {
    const firstBytes: (number | undefined)[] = [];
    for await (const { chunk } of media.readFile({ fileId: 100n }, as)) firstBytes.push(chunk[0]);
    expect(firstBytes).toEqual(Array.from({ length: 100 }, (_, index) => index));
    expect(fake.readersLeft).toBe(1);
  });

  it("fails in the middle of a stream as the handler did, after what was sent before", async () => {
    let chunks = 0;
    const read = async () => {
      for await (const { chunk } of media.readFile({ fileId: 3n }, as)) chunks += chunk.length;
    };
    await expect(read()).rejects.toMatchObject({ kind: "too-large", code: "too_many_values" });
    expect(chunks).toBe(3 * CHUNK_BYTES);
  });

  it("stops producing a stream that nobody reads on", async () => {
    for await (const { chunk } of media.readFile({ fileId: 1_000_000n }, as)) {
      if (chunk.length > 0) break;
    }
    await until(() => fake.readersLeft === 1);
  });

  it("produces a stream no faster than it is read", async () => {
    const stream = media.readFile({ fileId: 1_000_000n }, as)[Symbol.asyncIterator]();
    await stream.next();
    const produced = await settled(() => fake.chunksProduced);
    expect(produced * CHUNK_BYTES).toBeLessThan(4 * 1024 * 1024);
    await stream.return?.();
  });

  it("ends a stream with its deadline", async () => {
    const read = async (fileId: bigint, timeoutMs: number) => {
      for await (const { chunk } of media.readFile({ fileId }, { ...as, timeoutMs })) void chunk;
    };
    await read(1n, 20_000); // connects first, so that the deadline does not pass meanwhile
    await expect(read(1_000_000n, 500)).rejects.toMatchObject({ kind: "deadline" });
    await until(() => fake.readersLeft === 2);
  });

  it("takes a stream of requests", async () => {
    expect(await media.uploadFile(upload({ chunks: 50 }), as)).toMatchObject({ id: BigInt(50 * CHUNK_BYTES) });
  });

  it("validates each message of a stream", async () => {
    const call = media.uploadFile(upload({ name: "n".repeat(300), chunks: 1 }), as);
    await expect(call).rejects.toMatchObject({ kind: "invalid", violations: [{ field: "metadata.name" }] });
  });

  it("stops taking a stream once the handler has refused it", async () => {
    const source = upload({ name: "refused", chunks: Infinity });
    await expect(media.uploadFile(source, as)).rejects.toMatchObject({ kind: "too-large" });
    await until(() => source.ended);
  });

  it("does not take a stream that its source broke off for a complete one", async () => {
    const call = media.uploadFile(upload({ chunks: 5, failure: new AppError("invalid", "The disk is gone.") }), as);
    await expect(call).rejects.toMatchObject({ kind: "invalid", message: "The disk is gone." });
    await until(() => fake.uploads.length === 1);
    expect(fake.uploads[0]).toBeInstanceOf(AppError);
  });

  // Only if the handler has not read everything yet: after that, Node's HTTP/2 may report a complete stream until it is
  // reset.
  it("does not take a stream that its caller left for a complete one", async () => {
    const caller = new AbortController();
    const source = upload({ name: "left", chunks: Infinity });
    const call = media.uploadFile(source, { ...as, signal: caller.signal });
    const failure = expect(call).rejects.toMatchObject({ kind: "cancelled" });
    await until(() => fake.uploadsBegun === 1);
    caller.abort();
    await failure;
    await until(() => fake.uploads.length === 1);
    expect(fake.uploads[0]).toMatchObject({ kind: "cancelled" });
    await until(() => source.ended);
  });
});

const id = (error: unknown): unknown => error;

async function outcomeOf(call: unknown): Promise<unknown> {
  if (call instanceof Promise) return call;
  for await (const message of call as AsyncIterable<unknown>) return message;
  return undefined;
}

async function* nothing(): AsyncIterable<never> {
  // A client that sends no message at all.
}

/** The number after it has stopped growing. */
async function settled(read: () => number): Promise<number> {
  let before = -1;
  while (before !== read()) {
    before = read();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return before;
}

interface Upload {
  name?: string;
  chunks: number;
  failure?: AppError;
}

type Part = { part: { case: "metadata"; value: { name: string } } | { case: "chunk"; value: Uint8Array } };

/** An upload that records whether it was ended early. */
function upload({ name = "a.txt", chunks, failure }: Upload): AsyncIterable<Part> & { ended: boolean } {
  return {
    ended: false,
    async *[Symbol.asyncIterator]() {
      try {
        yield { part: { case: "metadata", value: { name } } };
        for (let count = 0; count < chunks; count += 1) {
          await new Promise(setImmediate);
          yield { part: { case: "chunk", value: Buffer.alloc(CHUNK_BYTES) } };
        }
        if (failure !== undefined) throw failure;
      } finally {
        this.ended = true;
      }
    },
  };
}
