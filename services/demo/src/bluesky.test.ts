import { once } from "node:events";
import { afterEach, beforeEach, expect, it } from "vitest";
import { WebSocket } from "ws";
import { JetstreamUpstream } from "./bluesky.js";

const NOW = Date.UTC(2026, 10, 22, 12);
let upstream: JetstreamUpstream;

beforeEach(async () => {
  upstream = await JetstreamUpstream.start({ now: () => NOW });
});
afterEach(() => upstream.close());

/** Kinds or operations of the events from a cursor on, up to what happens now. */
async function eventsFrom(cursor: number): Promise<string[]> {
  const socket = new WebSocket(`${upstream.url}?cursor=${cursor * 1000}`);
  const seen: string[] = [];
  socket.on("message", (data: Buffer) => {
    const event = JSON.parse(data.toString()) as { kind: string; commit?: { operation: string } };
    seen.push(event.commit?.operation ?? event.kind);
    if (event.kind === "identity") socket.close();
  });
  await once(socket, "close");
  return seen;
}

it("sends the events from a cursor on, in the order of their times", async () => {
  const first = upstream.post({ at: NOW - 3000 });
  upstream.remove(first, NOW - 1000);
  upstream.edit(first, "changed", NOW - 2000);
  expect(await eventsFrom(NOW - 3000)).toEqual(["create", "update", "delete", "identity"]);
  expect(await eventsFrom(NOW - 2000)).toEqual(["update", "delete", "identity"]);
});

it("begins with the oldest event that it has kept", async () => {
  upstream.post({ at: NOW - 3000 });
  upstream.post({ at: NOW - 1000 });
  upstream.keptSince = NOW - 2000;
  expect(await eventsFrom(0)).toEqual(["create", "identity"]);
});

it("refuses a connection with a status", async () => {
  upstream.failNext({ kind: "status", status: 429 });
  const socket = new WebSocket(upstream.url);
  const [, response] = (await once(socket, "unexpected-response")) as [unknown, { statusCode: number }];
  expect(response.statusCode).toBe(429);
  socket.on("error", () => undefined);
  socket.terminate();
});
