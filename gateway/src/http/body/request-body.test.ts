import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import type { Exchange } from "../exchange.js";
import { readChunks } from "./request-body.js";

it("a body that arrives byte by byte is held in few pieces", async () => {
  const req = Object.assign(new PassThrough(), { headers: {} });
  const exchange = {
    req,
    isOver: false,
    heldBytes: 0,
    context: { budget: { take: () => undefined } },
    sendContinue: () => undefined,
    receiving: () => undefined,
    received: () => undefined,
  } as unknown as Exchange;
  const reading = readChunks(exchange, 1_000_000);
  const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));
  for (const byte of bytes) req.emit("data", Buffer.of(byte));
  req.emit("end");
  const chunks = await reading;
  expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
  expect(chunks.length).toBeLessThan(25);
});
