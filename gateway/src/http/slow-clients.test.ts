import { create } from "@bufbuild/protobuf";
import { OperationSchema, OperationStatus, OperationType } from "@hourglass/proto/operation/v1/operation";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AUTHORIZATION, startGateway, type GatewayUnderTest } from "../testing/gateway-under-test.js";
import { RawConnection } from "../testing/raw-connection.js";

const OPERATIONS = "/api/v2/products/api/operations";
const SLOW_MS = 600;
/** An upper limit, less than a server without these settings needs to cut them. */
const CUT_WITHIN_MS = 20_000;

const CONTENTS = Array.from({ length: 1000 }, () => ({ value: { case: "text" as const, value: "x".repeat(20_000) } }));
const LARGE = create(OperationSchema, {
  id: 1n,
  status: OperationStatus.PENDING,
  query: { type: OperationType.TEXT, contents: CONTENTS },
});

describe("slow clients", () => {
  let gateway: GatewayUnderTest;
  const connections: RawConnection[] = [];

  beforeEach(async () => {
    gateway = await startGateway(
      { operation: { getOperation: () => Promise.resolve({ operation: LARGE }) } },
      {
        config: {
          bodyBytesMax: 20_971_520,
          rateLimitPerMinute: 0,
          paceWindowMs: SLOW_MS,
          headersTimeoutMs: SLOW_MS,
          keepAliveMs: SLOW_MS,
          lingerMs: SLOW_MS,
        },
      },
    );
  });
  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.end();
    await gateway.stop();
  });

  async function open(): Promise<RawConnection> {
    const connection = await RawConnection.open(gateway.port);
    connections.push(connection);
    return connection;
  }

  function post(headers: string): string {
    return `POST ${OPERATIONS} HTTP/1.1\r\nHost: x\r\nAuthorization: ${AUTHORIZATION}\r\n${headers}\r\n\r\n`;
  }

  it("cuts a connection that never says anything", async () => {
    await (await open()).untilClosed(CUT_WITHIN_MS);
  });

  it("answers 408 to headers that do not come to an end", async () => {
    const connection = await open();
    const drip = setInterval(() => connection.write("X-Slow: 1\r\n"), 50);
    connection.write(`GET ${OPERATIONS}/1 HTTP/1.1\r\nHost: x\r\n`);
    await connection.untilClosed(CUT_WITHIN_MS);
    clearInterval(drip);
    expect(connection.statuses).toEqual([408]);
    expect(connection.text).toContain('"code":"request_timeout"');
  });

  it("answers 408 to a body of a byte now and then, and closes", async () => {
    const connection = await open();
    connection.write(post("Content-Type: application/json\r\nContent-Length: 1000"));
    const drip = setInterval(() => connection.write(" "), 50);
    await connection.untilClosed(CUT_WITHIN_MS);
    clearInterval(drip);
    expect(connection.statuses).toEqual([408]);
    expect(connection.text).toContain('"code":"request_timeout"');
  });

  it("cuts a sender whose unwanted body does not end, after the answer", async () => {
    const connection = await open();
    connection.write(`POST /nowhere HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const drip = setInterval(() => connection.write("1\r\nx\r\n"), 50);
    await connection.untilClosed(CUT_WITHIN_MS);
    clearInterval(drip);
    expect(connection.statuses).toEqual([404]);
  });

  it("cuts readers that do not read, and answers others meanwhile", async () => {
    const readers = await Promise.all(Array.from({ length: 20 }, () => open()));
    for (const { socket } of readers) {
      socket.pause();
      socket.write(`GET ${OPERATIONS}/1 HTTP/1.1\r\nHost: x\r\nAuthorization: ${AUTHORIZATION}\r\n\r\n`);
    }
    expect(await usualAnswerMs()).toBeLessThan(500);
    await expect.poll(gateway.usage).toMatchObject({ requests: 0, heldBytes: 0 });
    const answers = gateway.log.filter(({ route, status }) => route === `${OPERATIONS}/:id` && status === 200);
    expect(answers.length).toBeGreaterThan(1);
    expect(answers.filter(({ incomplete }) => incomplete !== true)).toEqual([]);
  });

  it("leaves nothing of an answer in the kernel for a reader that it cuts", async () => {
    const reader = await open();
    reader.socket.pause();
    reader.write(`GET ${OPERATIONS}/1 HTTP/1.1\r\nHost: x\r\nAuthorization: ${AUTHORIZATION}\r\n\r\n`);
    await expect.poll(gateway.usage, { timeout: CUT_WITHIN_MS }).toMatchObject({ requests: 1 });
    await expect.poll(gateway.usage, { timeout: CUT_WITHIN_MS }).toMatchObject({ requests: 0, connections: 0 });
    reader.socket.resume();
    await reader.untilClosed(CUT_WITHIN_MS);
    expect(reader.text.length).toBeLessThan(1_000_000); // a close in order would leave it all that was sent
  });

  /** How long other clients wait: the median, since the machine also does other work. */
  async function usualAnswerMs(): Promise<number> {
    const times: number[] = [];
    for (let round = 0; round < 20; round++) {
      const startedAt = performance.now();
      await (await fetch(`${gateway.url}/healthz`)).text();
      times.push(performance.now() - startedAt);
    }
    return times.sort((one, other) => one - other)[10] ?? Infinity;
  }

  it("holds only so much for clients that do not continue, and continues with others", async () => {
    const stalled = await Promise.all(Array.from({ length: 12 }, () => open()));
    for (const connection of stalled) {
      connection.write(post("Content-Type: application/json\r\nContent-Length: 20000000"));
      connection.write(" ".repeat(100_000));
    }
    const refused = () => stalled.filter(({ statuses }) => statuses[0] === 429).length;
    await expect.poll(refused).toBeGreaterThan(4);
    const refusal = stalled.find(({ statuses }) => statuses[0] === 429)?.text;
    expect(refusal).toMatch(/Retry-After: \d+/);
    expect(refusal).toMatch(/RateLimit: "bytes-in-progress";r=0/);
    const small = await fetch(`${gateway.url}${OPERATIONS}`, {
      method: "POST",
      headers: { authorization: AUTHORIZATION, "content-type": "application/json" },
      body: JSON.stringify({ type: "text", analyses: ["topic"], contents: ["small"] }),
    });
    expect(small.status).toBe(501); // it reached the service
  });

  it("lets a large answer take its time when the client keeps reading", async () => {
    const response = await fetch(`${gateway.url}${OPERATIONS}/1`, { headers: { authorization: AUTHORIZATION } });
    const body = (await response.json()) as { query: { contents: string[] } };
    expect(body.query.contents).toHaveLength(1000);
  });

  it("closes a connection that is kept but not used", async () => {
    const connection = await open();
    connection.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    await connection.until(() => connection.statuses.length === 1, CUT_WITHIN_MS);
    await connection.untilClosed(CUT_WITHIN_MS);
  });
});
