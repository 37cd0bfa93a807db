import { afterEach, describe, expect, it } from "vitest";
import { AUTHORIZATION, startGateway, type GatewayUnderTest } from "../testing/gateway-under-test.js";
import { RawConnection } from "../testing/raw-connection.js";

const WITHIN_MS = 10_000;

describe("headers that may come once only", () => {
  let gateway: GatewayUnderTest;
  afterEach(() => gateway.stop());

  it.each([
    ["Host", "Host: y\r\n"],
    ["Host", "hOST: x\r\n"],
    ["Authorization", `Authorization: ${AUTHORIZATION}\r\nauthorization: Bearer other\r\n`],
    ["Content-Type", "Content-Type: application/json\r\nContent-Type: text/plain\r\n"],
    ["Idempotency-Key", "Idempotency-Key: a\r\nIdempotency-Key: b\r\n"],
  ])("are refused by name when they come twice: %s", async (name, headers) => {
    gateway = await startGateway();
    const connection = await RawConnection.open(gateway.port);
    connection.write(`GET /healthz HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
    await connection.until(() => connection.statuses.length === 1, WITHIN_MS);
    connection.end();
    expect(connection.statuses).toEqual([400]);
    expect(connection.text).toContain(
      `"error":"The header ${name} came more than once. Send it only once.","code":"malformed_request"`,
    );
  });
});
