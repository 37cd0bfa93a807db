import { create } from "@bufbuild/protobuf";
import { OperationSchema, OperationStatus, OperationType } from "@hourglass/proto/operation/v1/operation";
import { AppError } from "@hourglass/runtime";
import { afterEach, describe, expect, it } from "vitest";
import {
  AUTHORIZATION,
  startGateway,
  type FakeHandlers,
  type GatewayUnderTest,
} from "../testing/gateway-under-test.js";
import { RawConnection } from "../testing/raw-connection.js";

const OPERATIONS = "/api/v2/products/api/operations";
const WITHIN_MS = 10_000;
const IDLE = { connections: 0, requests: 0, waitingRequests: 0, transfers: 0, heldBytes: 0 };

const CONTENTS = Array.from({ length: 100 }, () => ({ value: { case: "text" as const, value: "x".repeat(20_000) } }));
const LARGE = create(OperationSchema, {
  id: 1n,
  status: OperationStatus.DONE,
  query: { type: OperationType.TEXT, contents: CONTENTS },
});

describe("pipelined requests", () => {
  let gateway: GatewayUnderTest;
  const shed: string[] = [];
  const connections: RawConnection[] = [];

  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.end();
    shed.length = 0;
    await gateway.stop();
  });

  async function start(operation: NonNullable<FakeHandlers["operation"]> = {}, heldBytesMax = 64_000_000) {
    const config = { bodyBytesMax: 20_971_520, rateLimitPerMinute: 0, heldBytesMax };
    gateway = await startGateway({ operation }, { config, onShed: (code) => shed.push(code) });
  }

  async function open(): Promise<RawConnection> {
    const connection = await RawConnection.open(gateway.port);
    connections.push(connection);
    return connection;
  }

  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${AUTHORIZATION}\r\n\r\n`;
  const usage = () => gateway.usage();

  /** A handler of reads that answers on demand, and the ids of the reads received so far. */
  function gatedReads() {
    const begun: number[] = [];
    const gates: (() => void)[] = [];
    const getOperation = async ({ id }: { id: bigint }) => {
      begun.push(Number(id));
      await new Promise<void>((resolve) => gates.push(resolve));
      return { operation: { ...LARGE, query: undefined, id } };
    };
    return { begun, getOperation, open: () => gates.shift()?.() };
  }

  it("are begun one after the other, in their order", async () => {
    const reads = gatedReads();
    await start({ getOperation: reads.getOperation });
    const connection = await open();
    connection.write([1, 2, 3].map((id) => get(`${OPERATIONS}/${id}`)).join(""));
    await expect.poll(usage).toMatchObject({ requests: 1, waitingRequests: 2 });
    for (const id of [1, 2, 3]) {
      await expect.poll(() => reads.begun).toEqual([1, 2, 3].slice(0, id));
      reads.open();
    }
    await connection.until(() => connection.statuses.length === 3, WITHIN_MS);
    expect([...connection.text.matchAll(/"id":(\d)/g)].map(([, id]) => id)).toEqual(["1", "2", "3"]);
  });

  it("hold nothing any more once their connection is reset, whatever was under way", async () => {
    const reads = gatedReads();
    await start({ getOperation: reads.getOperation });
    const all = await Promise.all(Array.from({ length: 20 }, () => open()));
    for (const { socket } of all) socket.write(get(`${OPERATIONS}/1`) + get("/nowhere").repeat(100));
    await expect.poll(() => usage().waitingRequests).toBe(2000);
    for (const { socket } of all) socket.resetAndDestroy();
    await expect.poll(usage, { timeout: WITHIN_MS }).toEqual(IDLE);
  });

  it("leave the whole budget to others once their connection is reset", async () => {
    await start({ getOperation: () => Promise.resolve({ operation: LARGE }) }, 8_000_000);
    const all = await Promise.all(Array.from({ length: 12 }, () => open()));
    for (const { socket } of all) {
      socket.pause();
      socket.write(get(`${OPERATIONS}/1`).repeat(40));
    }
    await expect.poll(() => usage().heldBytes).toBeGreaterThan(1_000_000);
    for (const { socket } of all) socket.resetAndDestroy();
    await expect.poll(usage, { timeout: WITHIN_MS }).toEqual(IDLE);
    const body = JSON.stringify({ type: "text", analyses: ["topic"], contents: Array(175).fill("x".repeat(20_000)) });
    const headers = { authorization: AUTHORIZATION, "content-type": "application/json" };
    const response = await fetch(gateway.url + OPERATIONS, { method: "POST", headers, body });
    expect(response.status).toBe(501); // it reached the service
  });

  it("take no budget when the record comes after the client has left", async () => {
    let begun = 0;
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const getOperation = async () => {
      begun++;
      await finished;
      return { operation: LARGE };
    };
    await start({ getOperation });
    const connection = await open();
    connection.write(get(`${OPERATIONS}/1`));
    await expect.poll(() => begun).toBe(1);
    connection.socket.resetAndDestroy();
    await expect.poll(usage).toEqual(IDLE);
    finish();
    await (await fetch(`${gateway.url}/healthz`)).text();
    expect(usage().heldBytes).toBe(0);
  });

  it("are all answered to a client that sends hundreds ahead", async () => {
    await start();
    const connection = await open();
    connection.write(get("/healthz").repeat(900));
    await connection.until(() => connection.statuses.length === 900, WITHIN_MS);
    expect(shed).toEqual([]);
  });

  it("let others be served in between", async () => {
    await start();
    const [greedy, other] = [await open(), await open()];
    let left = 0;
    other.socket.once("data", () => (left = usage().waitingRequests));
    greedy.write(get("/nowhere").repeat(900));
    await expect.poll(() => usage().waitingRequests, { interval: 1 }).toBeGreaterThan(0);
    other.write(get("/healthz"));
    await other.until(() => other.statuses.length === 1, WITHIN_MS);
    expect(left).toBeGreaterThan(0);
  });

  it("cut a connection on which more than a thousand wait", async () => {
    const reads = gatedReads();
    await start({ getOperation: reads.getOperation });
    const connection = await open();
    connection.write(get(`${OPERATIONS}/1`) + "GET / HTTP/1.1\r\n\r\n".repeat(2000));
    await connection.untilClosed(WITHIN_MS);
    await expect.poll(usage).toEqual(IDLE);
    expect(shed).toEqual(["too_many_pipelined"]);
  });

  it("cut connections that bring more while too many wait on others, and spare who waits for each answer", async () => {
    const reads = gatedReads();
    await start({ getOperation: reads.getOperation });
    const all = await Promise.all(Array.from({ length: 30 }, () => open()));
    const large = `GET / HTTP/1.1\r\nX-Large: ${"x".repeat(10_000)}\r\n\r\n`;
    for (const { socket } of all) socket.write(get(`${OPERATIONS}/1`) + large.repeat(200));
    const cut = () => all.filter(({ closed }) => closed).length;
    await expect.poll(cut, { timeout: WITHIN_MS }).toBeGreaterThan(3);
    expect(usage().waitingRequests).toBeLessThan(6000);
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  });

  it("are answered before what follows them is refused as no HTTP", async () => {
    const getOperation = () => Promise.reject(new AppError("not-found", "There is none."));
    await start({ getOperation });
    const connection = await open();
    connection.write(`${get(`${OPERATIONS}/1`)}${get("/healthz")}hello\r\n\r\n`);
    await connection.untilClosed(WITHIN_MS);
    expect(connection.statuses).toEqual([404, 200, 400]);
  });
});
