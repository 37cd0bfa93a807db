import { AnalysisType, OperationType } from "@hourglass/proto/operation/v1/operation";
import { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import { createGrpcClient, createGrpcServer, createLogger, startingRoutes, type Client } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TOKEN } from "./fake-services.js";
import { die, fail, refuse, ScriptedServer, startReplica, type Replica } from "./replicas.js";
import { until } from "./transports.js";

const AS = { token: TOKEN };
const TEXTS = {
  type: OperationType.TEXT,
  analyses: [AnalysisType.TOPIC],
  contents: [{ value: { case: "text" as const, value: "Lisbon" } }],
};

describe("a client of several addresses", () => {
  let replicas: [Replica, Replica, Replica];
  const closers: (() => void)[] = [];

  async function clientOf(...addresses: string[]): Promise<Client<typeof OperationService>> {
    const { client, close } = await createGrpcClient(OperationService, addresses);
    closers.push(close);
    return client;
  }

  const callsAt = (replica: Replica): number => replica.fake.contexts.length;

  beforeEach(async () => {
    replicas = [await startReplica(), await startReplica(), await startReplica()];
  });
  afterEach(async () => {
    for (const close of closers.splice(0)) close();
    for (const { server } of replicas) await server.stop(0);
  });

  it("spreads its calls over all of them", async () => {
    const operations = await clientOf(...replicas.map(({ address }) => address));
    await until(async () => {
      await operations.createOperation(TEXTS, AS);
      return replicas.every((replica) => callsAt(replica) > 0);
    });
    const before = replicas.map(callsAt);
    for (let call = 0; call < 60; call += 1) await operations.createOperation(TEXTS, AS);
    const share = replicas.map((replica, index) => callsAt(replica) - (before[index] ?? 0));
    expect(Math.min(...share)).toBeGreaterThan(10);
  });

  it("passes over those that are down, and over names that nobody knows", async () => {
    const [first, second, third] = replicas;
    await second.server.stop(0);
    const operations = await clientOf(
      "no-such-host.invalid:1",
      first.address,
      second.address,
      `dns:///localhost:${third.port}`,
    );
    for (let call = 0; call < 60; call += 1) await operations.createOperation(TEXTS, AS);
    await until(async () => {
      await operations.createOperation(TEXTS, AS);
      return callsAt(first) > 0 && callsAt(third) > 0;
    });
  });

  it("finds one again that came back, without failing a call", async () => {
    const [first, second] = replicas;
    const operations = await clientOf(first.address, second.address);
    for (let call = 0; call < 10; call += 1) await operations.createOperation(TEXTS, AS);
    await second.server.stop(1000);
    for (let call = 0; call < 20; call += 1) await operations.createOperation(TEXTS, AS);
    const back = await startReplica(second.port);
    replicas[1] = back;
    await until(async () => {
      await operations.createOperation(TEXTS, AS);
      return callsAt(back) > 0;
    });
  });

  it("fails no call over one connection when another is back after an outage", async () => {
    const [replica] = replicas;
    await replica.server.stop(0);
    const operations = await clientOf(replica.address);
    // The first of the client's connections now waits until it tries again.
    await expect(operations.createOperation(TEXTS, AS)).rejects.toMatchObject({ kind: "unavailable" });
    replicas[0] = await startReplica(replica.port);
    for (let call = 0; call < 20; call += 1) await operations.createOperation(TEXTS, AS);
  });

  it("fails no call of many when one of them stops, also of those that must not be sent twice", async () => {
    const [first, second] = replicas;
    const operations = await clientOf(first.address, second.address);
    const failures: unknown[] = [];
    let done = 0;
    const caller = async () => {
      for (let call = 0; call < 20; call += 1) {
        await operations.createOperation(TEXTS, AS).catch((error: unknown) => failures.push(error));
        done += 1;
      }
    };
    const callers = Promise.all(Array.from({ length: 50 }, caller));
    await until(() => done > 200 && callsAt(first) > 20);
    await first.server.stop(10_000);
    const atStop = callsAt(first);
    await callers;
    expect(failures).toEqual([]);
    expect(done).toBe(1000);
    expect(callsAt(first)).toBe(atStop);
    expect(callsAt(first) + callsAt(second)).toBe(1000);
  });

  it("ends calls in work at a replica that stops", async () => {
    const [first, second] = replicas;
    const operations = await clientOf(first.address, second.address);
    const waiting = Array.from({ length: 20 }, () => operations.getOperation({ id: 7n, wait: 60 }, AS));
    await until(() => callsAt(first) + callsAt(second) === 20);
    const stopped = first.server.stop(10_000);
    for (let call = 0; call < 20; call += 1) await operations.createOperation(TEXTS, AS);
    first.fake.release();
    second.fake.release();
    expect(await Promise.all(waiting)).toHaveLength(20);
    await stopped;
  });

  it("asks another replica when one is still starting", async () => {
    const [first] = replicas;
    const { routes } = startingRoutes([OperationService]);
    const { dispatcher } = first.fake;
    const starting = await createGrpcServer({ routes, dispatcher, log: createLogger("silent") });
    const operations = await clientOf(first.address, `127.0.0.1:${await starting.listen({ port: 0 })}`);
    for (let call = 0; call < 20; call += 1) await operations.getOperation({ id: 7n }, AS);
    await starting.stop(0);
  });
});

describe("a call that fails because its replica does", () => {
  let scripted: ScriptedServer;
  let close = (): void => undefined;

  async function clientOf(
    answer: Parameters<typeof ScriptedServer.start>[0],
  ): Promise<Client<typeof OperationService>> {
    scripted = await ScriptedServer.start(answer);
    const made = await createGrpcClient(OperationService, scripted.address, { channels: 1 });
    close = made.close;
    return made.client;
  }

  afterEach(() => {
    close();
    scripted.stop();
  });

  it("is sent once when it must not be carried out twice", async () => {
    const operations = await clientOf(die);
    await expect(operations.createOperation(TEXTS, AS)).rejects.toMatchObject({ kind: "unavailable" });
    expect(scripted.calls).toBe(1);
  });

  it("is sent again when it was refused, since nobody has begun it", async () => {
    const operations = await clientOf((stream, call) => {
      if (call < 6) refuse(stream);
      else fail(stream);
    });
    await expect(operations.createOperation(TEXTS, AS)).rejects.toMatchObject({ kind: "unavailable" });
    expect(scripted.calls).toBe(6);
  });

  it("is sent three times at most when it may", async () => {
    const operations = await clientOf(die);
    await expect(operations.getOperation({ id: 7n }, AS)).rejects.toMatchObject({ kind: "unavailable" });
    expect(scripted.calls).toBeGreaterThan(1);
    expect(scripted.calls).toBeLessThan(4);
  });

  it("is carried out by another replica when it may be", async () => {
    const replica = await startReplica();
    scripted = await ScriptedServer.start(die);
    const both = await createGrpcClient(OperationService, [scripted.address, replica.address]);
    close = both.close;
    await until(async () => {
      expect((await both.client.getOperation({ id: 7n }, AS)).operation?.id).toBe(7n);
      return scripted.calls > 2;
    });
    await replica.server.stop(0);
  });

  it("is tried again within a budget, so that a service in trouble is not asked ever more", async () => {
    const operations = await clientOf(fail);
    const calls = Array.from({ length: 1000 }, () => operations.getOperation({ id: 7n }, AS).catch(() => "failed"));
    expect(new Set(await Promise.all(calls))).toEqual(new Set(["failed"]));
    expect(scripted.calls).toBeGreaterThanOrEqual(1000);
    expect(scripted.calls).toBeLessThan(1500);
  });

  it("has one deadline for all attempts", async () => {
    const operations = await clientOf((stream, call) => {
      if (call < 3) fail(stream);
    });
    // Connects first, so that the deadline does not pass meanwhile.
    await expect(operations.createOperation(TEXTS, AS)).rejects.toMatchObject({ kind: "unavailable" });
    const call = operations.getOperation({ id: 7n }, { ...AS, timeoutMs: 1000 });
    await expect(call).rejects.toMatchObject({ kind: "deadline" });
    expect(scripted.calls).toBe(3);
  });
});

it.each(["", "host", "host:port", "http://host:1", "a:1,b:2", "dns://8.8.8.8/host:1", "dns:///host"])(
  "does not take %j for an address",
  async (address) => {
    await expect(createGrpcClient(OperationService, [address])).rejects.toThrow(
      new TypeError(`"${address}" is not an address; write host:port or dns:///host:port.`),
    );
  },
);
