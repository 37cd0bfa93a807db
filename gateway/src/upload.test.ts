import type { UploadFileRequest } from "@hourglass/proto/media/v1/media_service";
import { AppError } from "@hourglass/runtime";
import { afterEach, describe, expect, it, vi } from "vitest";
import { AUTHORIZATION, startGateway, type FakeHandlers, type GatewayUnderTest } from "./testing/gateway-under-test.js";
import { RawConnection } from "./testing/raw-connection.js";

const UPLOAD = "/api/v2/products/api/operations/upload";
const MIB = 1_048_576;
const CONFIG = { bodyBytesMax: 1000, rateLimitPerMinute: 0, uploadBytesMax: 100 * MIB };
const HEAD = '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n';
const END = "\r\n--b--\r\n";

type Requests = AsyncIterable<UploadFileRequest>;

async function read(requests: Requests): Promise<number> {
  let bytes = 0;
  for await (const { part } of requests) if (part.case === "chunk") bytes += part.value.length;
  return bytes;
}

describe("an upload through the gateway", () => {
  let gateway: GatewayUnderTest | undefined;

  afterEach(async () => {
    await gateway?.stop(100);
    gateway = undefined;
  });

  async function start(
    uploadFile: (requests: Requests) => Promise<{ id: bigint }>,
    config: object = {},
  ): Promise<void> {
    const media: FakeHandlers["media"] = { uploadFile };
    gateway = await startGateway({ media }, { config: { ...CONFIG, ...config } });
  }

  const send = (file: string): Promise<Response> =>
    fetch(`${gateway?.url}${UPLOAD}`, {
      method: "POST",
      headers: { authorization: AUTHORIZATION, "content-type": "multipart/form-data; boundary=b" },
      body: HEAD + file + END,
    });

  async function open(contentLength: number): Promise<RawConnection> {
    const connection = await RawConnection.open(gateway?.port ?? 0);
    connection.write(
      `POST ${UPLOAD} HTTP/1.1\r\nHost: h\r\nAuthorization: ${AUTHORIZATION}\r\n` +
        `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${contentLength}\r\n\r\n`,
    );
    return connection;
  }

  it("is not bound by the limit of other bodies, nor by what is held for them", async () => {
    await start(async (requests) => ({ id: BigInt(await read(requests)) }), { heldBytesMax: 1000 });
    const answers = await Promise.all([1, 2, 3].map((id) => send("x".repeat(id * MIB))));
    const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as { id: number }[];
    expect(bodies.map(({ id }) => id)).toEqual([MIB, 2 * MIB, 3 * MIB]);
  });

  it("comes no faster than it is stored", async () => {
    let goOn = (): void => undefined;
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    await start(async (requests) => {
      for await (const { part } of requests) if (part.case === "chunk") await gate;
      return { id: 1n };
    });
    const length = 64 * MIB;
    const connection = await open(length + HEAD.length + END.length);
    connection.write(HEAD);
    for (let written = 0; written < length; written += MIB) connection.write("x".repeat(MIB));
    connection.write(END);
    const { socket } = connection;
    const sent = () => socket.bytesWritten - socket.writableLength;
    await vi.waitFor(() => expect(sent()).toBeGreaterThan(0));
    // Waits until no more bytes move: those sent by then are in the kernel's buffers.
    await vi.waitFor(async () => {
      const before = sent();
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(sent()).toBe(before);
    });
    expect(sent()).toBeLessThan(length / 2);
    goOn();
    await vi.waitFor(() => expect(connection.statuses).toEqual([201]));
    connection.end();
  });

  it("marks its last chunk, and none when its client left", async () => {
    const marks: { announced: boolean; last: boolean }[] = [];
    await start(async (requests) => {
      const seen = { announced: false, last: false };
      try {
        for await (const { part, last } of requests) {
          if (part.case === "metadata") seen.announced = part.value.marksLast;
          seen.last = last;
        }
      } finally {
        marks.push(seen);
      }
      return { id: 1n };
    });
    expect((await send("some")).status).toBe(201);
    const leaving = await open(100_000);
    leaving.write(`${HEAD}some`);
    leaving.end();
    await vi.waitFor(() => expect(marks).toHaveLength(2));
    expect(marks).toEqual([
      { announced: true, last: true },
      { announced: true, last: false },
    ]);
  });

  it("is cut with 408 when its client is too slow", async () => {
    const ends: (number | AppError)[] = [];
    await start(
      async (requests) => {
        await read(requests).then(
          (bytes) => ends.push(bytes),
          (error: unknown) => {
            ends.push(AppError.from(error));
            throw error;
          },
        );
        return { id: 1n };
      },
      { paceWindowMs: 400, bytesPerSecondMin: 1000 },
    );
    const slow = await open(100_000);
    slow.write(`${HEAD}some`);
    await slow.untilClosed(20_000);
    expect(slow.statuses).toEqual([408]);
    await vi.waitFor(() => expect(ends).toMatchObject([{ kind: "invalid" }]));
  });

  it("ends for the service when its client leaves", async () => {
    const ends: unknown[] = [];
    await start(async (requests) => {
      await read(requests).catch((error: unknown) => {
        ends.push(error);
        throw error;
      });
      return { id: 1n };
    });
    const leaver = await open(100_000);
    leaver.write(HEAD + "x".repeat(5000));
    await new Promise((resolve) => setTimeout(resolve, 50));
    leaver.end();
    await vi.waitFor(() => expect(ends).toMatchObject([{ kind: "cancelled" }]));
  });

  it.each([
    [507, new AppError("unavailable", "The storage is full.", { code: "storage_full" }), null],
    [503, new AppError("unavailable", "The storage is away.", { retryAfterMs: 3000 }), "3"],
    [413, new AppError("too-large", "Too large."), null],
    [400, AppError.invalid([{ field: "file", message: "is a poem" }], "unsupported_file"), null],
  ])("answers %i at once when the service fails so, whatever is still to come", async (status, failure, retryAfter) => {
    await start(() => Promise.reject(failure));
    const connection = await open(50 * MIB);
    connection.write(HEAD + "x".repeat(10_000));
    await vi.waitFor(() => expect(connection.statuses).toEqual([status]));
    expect(connection.text).toContain(`"code":"${failure.code}"`);
    if (retryAfter !== null) expect(connection.text).toContain(`Retry-After: ${retryAfter}\r\n`);
    connection.end();
  });

  it("is answered when it is refused, also to a client who sends all of it before it looks for an answer", async () => {
    await start(() => Promise.reject(AppError.invalid([{ field: "file", message: "is a poem" }])));
    const connection = await open(20 * MIB);
    const { socket } = connection;
    socket.pause();
    connection.write(HEAD);
    const rest = Buffer.alloc(20 * MIB - HEAD.length);
    await new Promise<void>((resolve, reject) => socket.write(rest, (error) => (error ? reject(error) : resolve())));
    socket.resume();
    await vi.waitFor(() => expect(connection.statuses).toEqual([400]));
    await connection.untilClosed(20_000);
  });

  it("is stored while others stall, on their way in or in the storage", async () => {
    let goOn = (): void => undefined;
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    await start(async (requests) => {
      const bytes = await read(requests);
      if (bytes === 3) await gate;
      return { id: BigInt(bytes) };
    });
    const inStorage = [1, 2, 3, 4].map(() => send("abc"));
    for (let count = 0; count < 4; count++) (await open(MIB)).write(`${HEAD}some`);
    expect((await send("x".repeat(MIB))).status).toBe(201);
    goOn();
    for (const { status } of await Promise.all(inStorage)) expect(status).toBe(201);
  });

  it("may come in chunks whose number nobody knows, be they tiny", async () => {
    await start(async (requests) => ({ id: BigInt(await read(requests)) }));
    const connection = await RawConnection.open(gateway?.port ?? 0);
    connection.write(
      `POST ${UPLOAD} HTTP/1.1\r\nHost: h\r\nAuthorization: ${AUTHORIZATION}\r\n` +
        "Content-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    for (const character of `${HEAD}${"x\r\n-".repeat(500)}${END}`) connection.write(`1\r\n${character}\r\n`);
    connection.write("0\r\n\r\n");
    await vi.waitFor(() => expect(connection.statuses).toEqual([201]));
    expect(connection.text).toContain('{"id":2000}');
    connection.end();
  });

  it("is asked for only once it may come", async () => {
    await start(async (requests) => ({ id: BigInt(await read(requests)) }));
    const head = (contentLength: number, token: string) =>
      `POST ${UPLOAD} HTTP/1.1\r\nHost: h\r\nAuthorization: ${token}\r\nExpect: 100-continue\r\n` +
      `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${contentLength}\r\n\r\n`;
    const refused = await RawConnection.open(gateway?.port ?? 0);
    refused.write(head(200 * MIB, AUTHORIZATION));
    await vi.waitFor(() => expect(refused.statuses).toEqual([413]));
    const unknown = await RawConnection.open(gateway?.port ?? 0);
    unknown.write(head(100, "Bearer forged"));
    await vi.waitFor(() => expect(unknown.statuses).toEqual([401]));
    const welcome = await RawConnection.open(gateway?.port ?? 0);
    welcome.write(head(HEAD.length + 3 + END.length, AUTHORIZATION));
    await vi.waitFor(() => expect(welcome.statuses).toEqual([100]));
    welcome.write(`${HEAD}abc${END}`);
    await vi.waitFor(() => expect(welcome.statuses).toEqual([100, 201]));
    for (const connection of [refused, unknown, welcome]) connection.end();
  });
});
