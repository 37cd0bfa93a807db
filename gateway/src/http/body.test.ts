import { once } from "node:events";
import { connect } from "node:net";
import { PassThrough } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { AUTHORIZATION, GatewayClient } from "../testing/gateway-under-test.js";
import { readChunks } from "./body.js";
import type { RequestContext } from "./request-context.js";

const OPERATIONS = "/api/v2/products/api/operations";
const CHECK = "/api/v2/products/insight/check";

describe("a large body", () => {
  const client = new GatewayClient();
  afterEach(() => client.stop());
  const operation = (more: object) => ({ type: "text", analyses: ["topic"], contents: ["x"], ...more });

  it("is read like a small one", async () => {
    let received: unknown[] = [];
    await client.start({
      operation: {
        createOperation: ({ contents }) => {
          received = contents.map(({ value }) => value.value);
          return Promise.resolve({ id: 1n });
        },
      },
    });
    const contents = Array.from({ length: 200 }, (_, index) => `${index} “ж”\\"😀${"\n語".repeat(1000)}`);
    expect((await client.post(OPERATIONS, operation({ contents }))).status).toBe(201);
    expect(received).toEqual(contents);
  });

  it.each([
    ["[1,", "invalid_json"],
    ["\xff", "invalid_utf8"],
  ])("is refused as a small one is, with %j at its end", async (end, code) => {
    await client.start();
    const body = Buffer.from(`{"a":"${"x".repeat(300_000)}","b":${end}`, "latin1");
    const headers = { authorization: AUTHORIZATION, "content-type": "application/json" };
    const refused = await fetch(client.url + OPERATIONS, { method: "POST", headers, body });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ code });
  });

  it("may have fields that nobody knows, as long as there are few", async () => {
    await client.start({ operation: { createOperation: () => Promise.resolve({ id: 1n }) } });
    expect((await client.post(OPERATIONS, operation({ note: "x".repeat(1_000_000) }))).status).toBe(201);
    const refused = await client.post(OPERATIONS, operation({ notes: Array(60_000).fill({ a: {} }) }));
    expect(refused.status).toBe(413);
    expect(await refused.json()).toMatchObject({
      code: "too_many_values",
      error: "The body holds more than 50,000 values. Send fewer at once.",
    });
  });

  it("may have 100 levels", async () => {
    await client.start({ operation: { createOperation: () => Promise.resolve({ id: 1n }) } });
    const nested = (levels: number) => JSON.parse(`${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}`) as unknown;
    const note = "x".repeat(300_000);
    expect((await client.post(OPERATIONS, operation({ note, notes: nested(100) }))).status).toBe(201);
    const refused = await client.post(OPERATIONS, operation({ note, notes: nested(101) }));
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      code: "invalid_json",
      error: "The body is nested deeper than 100 levels. Send it with fewer levels.",
    });
  });

  it("is refused before all of it has arrived, if it has too many values", async () => {
    await client.start();
    const { port } = new URL(client.url);
    const socket = connect(Number(port), "127.0.0.1");
    const head = `POST ${OPERATIONS} HTTP/1.1\r\nHost: a\r\nAuthorization: ${AUTHORIZATION}\r\n`;
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 900000\r\n\r\n${"[{},".repeat(2)}`);
    socket.write("{},".repeat(60_000));
    const [answer] = (await once(socket, "data")) as [Buffer];
    socket.destroy();
    expect(answer.toString()).toContain("too_many_values");
  });

  it("is accepted only by routes that need one", async () => {
    await client.start();
    const limits = { [CHECK]: 262_144, "/api/v2/products/insight/exports": 65_536, "/api/v1/users/sign_in": 65_536 };
    for (const [path, bytes] of Object.entries(limits)) {
      expect((await client.post(path, `{"a":"${"x".repeat(bytes)}"}`)).status, path).toBe(413);
      expect((await client.post(path, `{"a":"${"x".repeat(bytes - 8)}"}`)).status, path).toBe(400);
    }
  });
});

it("a body that arrives byte by byte is held in few pieces", async () => {
  const req = Object.assign(new PassThrough(), { headers: {} });
  const request = {
    req,
    isOver: false,
    heldBytes: 0,
    gateway: { budget: { take: () => undefined } },
    sendContinue: () => undefined,
    receiving: () => undefined,
    received: () => undefined,
  } as unknown as RequestContext;
  const reading = readChunks(request, 1_000_000);
  const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));
  for (const byte of bytes) req.emit("data", Buffer.of(byte));
  req.emit("end");
  const chunks = await reading;
  expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
  expect(chunks.length).toBeLessThan(25);
});
