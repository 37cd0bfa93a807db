import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { LIMITS } from "../../support/limits.js";
import { testServers } from "../../support/test-storage.js";
import { mongodbUrl, Secantus } from "../control/secantus.js";
import { Toxiproxy, type Proxy } from "../control/toxiproxy.js";
import { expectAway, LEASE_MS, OPERATIONS, FaultRig, pause } from "./fault-rig.js";

/** More freezes than workers may die until an operation ends as failed. */
const ROUNDS = 11;
const FROZEN_MS = 1.5 * LEASE_MS;
const SMALL = { type: "text", analyses: ["sentiment-simple"], contents: ["a good day"] };

describe("separate processes, when the database fails", () => {
  let secantus: Secantus;
  let toxiproxy: Toxiproxy;
  let proxy: Proxy;
  let rig: FaultRig;

  beforeAll(async () => {
    [secantus, toxiproxy] = await Promise.all([Secantus.start(), Toxiproxy.start()]);
    proxy = await toxiproxy.before(secantus.port);
    const { amqp } = testServers();
    const ways = { mongodb: mongodbUrl(proxy.port), amqp };
    rig = await FaultRig.start({ topology: "processes", servers: { mongodb: secantus.url, amqp }, ways });
  });
  afterAll(async () => {
    await rig.remove();
    await Promise.all([secantus.remove(), toxiproxy.remove()]);
  });

  // A failed test must not affect later ones.
  afterEach(async () => {
    await proxy.heal();
    rig.expectQuietLogs();
  });

  const create = () => rig.send("POST", OPERATIONS, { body: SMALL });
  const newest = async (): Promise<number> => {
    const { body } = await rig.send("GET", `${OPERATIONS}?limit=1`);
    return (body as { operations: { id: number }[] }).operations[0]?.id ?? 0;
  };

  it("database away at create, nothing is accepted, stored or published", async () => {
    await create();
    const before = await newest();
    await proxy.setOpen(false);
    expectAway(await create());
    expectAway(await rig.send("GET", `${OPERATIONS}/${before}`));
    const operation = rig.deployment.part("operation");
    await vi.waitFor(async () => expect(await operation.isReady()).toBe(false), { timeout: 20_000, interval: 250 });
    await proxy.heal();
    await rig.deployment.ready();
    expect(await newest()).toBe(before);
    await rig.bears(async (trial) => {
      await proxy.setOpen(false);
      await pause(1000);
      await proxy.heal();
      await trial.accepted(1);
    });
  });

  it.each([
    ["for less than a lease", LEASE_MS / 2],
    ["for longer than a lease", 2 * LEASE_MS],
  ])("database away at completion, %s", async (_how, awayMs) => {
    await rig.bears(async (trial) => {
      const id = await trial.longOperation();
      await proxy.setOpen(false);
      await pause(awayMs);
      await proxy.heal();
      await trial.ended(id);
    });
  });

  it("database slow by 5 s, every request ends in time and the pool recovers", async () => {
    await rig.bears(async () => {
      const id = await newest();
      await proxy.poison({ type: "latency", stream: "downstream", attributes: { latency: 5000 } });
      const answers = await Promise.all(Array.from({ length: 30 }, () => rig.send("GET", `${OPERATIONS}/${id}`)));
      for (const answer of answers) if (answer.status !== 200) expectAway(answer);
      await proxy.heal();
      await rig.deployment.ready();
      expect((await rig.send("GET", `${OPERATIONS}/${id}`)).status).toBe(200);
    });
  });

  it("connections reset after a write was sent, its outcome unknown", async () => {
    await rig.bears(async (trial) => {
      for (let round = 0; round < 5; round++) {
        // The response, not the request, is lost: the write may have been applied.
        await proxy.poison({ type: "reset_peer", stream: "downstream", attributes: { timeout: 0 } });
        await pause(300);
        await proxy.heal();
        await trial.accepted(2);
      }
    });
  });

  it("kill -9 of the database and its restart", async () => {
    await rig.bears(async () => {
      await secantus.kill9();
      expectAway(await create());
      await secantus.startAgain();
    });
  });

  it("database black hole (SIGSTOP), no request hangs on it", async () => {
    await rig.bears(async () => {
      secantus.freeze();
      try {
        expectAway(await create());
      } finally {
        secantus.thaw();
      }
    });
  });

  it(
    "database frozen again and again for longer than leases, no attempt is used up",
    { timeout: 3 * LIMITS.test },
    async () => {
      await rig.bears(async (trial) => {
        const id = await trial.longOperation();
        for (let round = 0; round < ROUNDS; round++) {
          secantus.freeze();
          try {
            await pause(FROZEN_MS);
          } finally {
            secantus.thaw();
          }
          await pause(LEASE_MS);
        }
        await trial.ended(id);
      });
    },
  );
});
