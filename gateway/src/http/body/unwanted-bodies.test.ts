import { afterEach, expect, it } from "vitest";
import { setTimeout as sleep } from "node:timers/promises";
import { AUTHORIZATION, startGateway, type GatewayUnderTest } from "../../testing/gateway-under-test.js";
import { RawConnection } from "../../testing/raw-connection.js";

const OPERATIONS = "/api/v2/products/api/operations";
const WITHIN_MS = 20_000;
const LINGER_MS = 200;
const PIECES = 20;

let gateway: GatewayUnderTest;
afterEach(() => gateway.stop());

/** Sends a large body for longer than the server lingers over silence, and reads the response only then. */
async function send(body: string): Promise<RawConnection> {
  const connection = await RawConnection.open(gateway.port);
  connection.socket.pause();
  const head = `POST ${OPERATIONS} HTTP/1.1\r\nHost: x\r\nAuthorization: ${AUTHORIZATION}\r\n`;
  connection.write(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`);
  const size = Math.ceil(body.length / PIECES);
  for (let piece = 0; piece < PIECES; piece++) {
    connection.write(body.slice(piece * size, (piece + 1) * size));
    await sleep((3 * LINGER_MS) / PIECES);
  }
  connection.socket.resume();
  return connection;
}

it("gives each of many large creates an answer, though most are refused before they have come whole", async () => {
  const config = { bodyBytesMax: 2_000_000, rateLimitPerMinute: 0, heldBytesMax: 10_000_000, lingerMs: LINGER_MS };
  gateway = await startGateway({ operation: { createOperation: () => Promise.resolve({ id: 1n }) } }, { config });
  const body = JSON.stringify({ type: "text", analyses: ["topic"], contents: Array(95).fill("x".repeat(20_000)) });
  const clients = await Promise.all(Array.from({ length: 40 }, () => send(body)));
  await Promise.all(clients.map((client) => client.until(() => client.statuses.length === 1, WITHIN_MS)));
  const statuses = clients.flatMap((client) => client.statuses);
  for (const client of clients) client.end();
  expect([...new Set(statuses)].sort()).toEqual([201, 429]);
});
