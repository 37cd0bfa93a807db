import { rabbitNames } from "@hourglass/runtime";
import { RUN_QUEUE } from "@hourglass/operation";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { readiness } from "../../support/part.js";
import type { Answer } from "../../support/server.js";
import { testServers } from "../../support/test-storage.js";
import { amqpUrl, RabbitNode } from "../control/rabbitmq.js";
import { Toxiproxy, type Proxy } from "../control/toxiproxy.js";
import { OPERATIONS, FaultRig } from "./fault-rig.js";

/** A short heartbeat, so that a broker that is neither available nor gone is noticed within the time of a test. */
const SETTINGS = ["heartbeat = 2"];
const TIMED_OUT = "timed out waiting for delivery acknowledgement";
/** Short, so that a test can outlast several. */
const CONNECTION_AGE_SECONDS = 4;
/** The parts that clients reach; workers have no use without a broker. */
const APIS = ["gateway", "auth", "media", "operation", "insight", "export"];
const UPLOADS = `${OPERATIONS}/upload`;
const SMALL = { type: "text", analyses: ["sentiment-simple"], contents: ["a good day"] };

describe("separate processes, when the broker fails", () => {
  let node: RabbitNode;
  let toxiproxy: Toxiproxy;
  let proxy: Proxy;
  let rig: FaultRig;
  let workQueue: string;

  beforeAll(async () => {
    [node, toxiproxy] = await Promise.all([RabbitNode.start(SETTINGS), Toxiproxy.start()]);
    proxy = await toxiproxy.before(node.port);
    const { mongodb } = testServers();
    const ways = { mongodb, amqp: amqpUrl(proxy.port) };
    const partEnv = Object.fromEntries(
      APIS.map((name) => [name, { CONNECTION_AGE_SECONDS: String(CONNECTION_AGE_SECONDS) }]),
    );
    rig = await FaultRig.start({ topology: "processes", servers: { mongodb, amqp: node.url }, ways, partEnv });
    workQueue = rabbitNames(rig.testStorage.env["AMQP_PREFIX"] ?? "", RUN_QUEUE).work;
  });
  afterAll(async () => {
    await rig.remove();
    await Promise.all([node.remove(), toxiproxy.remove()]);
  });

  // A failed test must not affect later ones.
  afterEach(async () => {
    await proxy.heal();
    rig.expectQuietLogs();
  });

  const create = () => rig.send("POST", OPERATIONS, { body: SMALL });
  const bothConsume = () =>
    vi.waitFor(async () => expect(await node.consumersOf(workQueue)).toBe(2), { timeout: 40_000, interval: 250 });
  const channels = async () => (await node.ctl("list_channels", "pid")).trim().split("\n").length;
  /** Once every part has what it needs, the number does not change. */
  const steadyChannels = async (): Promise<number> => {
    let seen: number[] = [];
    await vi.waitFor(
      async () => {
        seen = [...seen, await channels()].slice(-4);
        expect(seen).toEqual(Array.from({ length: 4 }, () => seen[0]));
      },
      { timeout: 60_000, interval: 1_000 },
    );
    return seen[0] ?? 0;
  };

  it("broker restart", async () => {
    await rig.bears(async (trial) => {
      await node.ctl("stop_app");
      await trial.accepted(3);
      await node.ctl("start_app");
    });
  });

  it("broker kill -9 and restart", async () => {
    await rig.bears(async (trial) => {
      await node.kill9();
      await trial.accepted(3);
      await node.startAgain();
    });
  });

  it("broker away at publish, operations are accepted anyway", async () => {
    await rig.bears(async (trial) => {
      await proxy.setOpen(false);
      expect((await create()).status).toBe(201);
      await trial.accepted(10);
      await proxy.heal();
    });
  });

  it("broker away for longer than two renewals of connections, no request fails", async () => {
    await rig.bears(async () => {
      await proxy.setOpen(false);
      // A part that starts meanwhile serves, too.
      const media = rig.deployment.part("media");
      await media.end("SIGTERM");
      media.start();
      await media.ready();
      const send = (route: string) => rig.send("GET", route);
      await vi.waitFor(async () => expect((await send(UPLOADS)).status).toBe(200), { timeout: 30_000, interval: 250 });

      const answers: Answer[] = [];
      const until = performance.now() + 2.5 * CONNECTION_AGE_SECONDS * 1000;
      while (performance.now() < until) {
        const created = await create();
        const { id } = created.body as { id: number };
        const routes = [OPERATIONS, `${OPERATIONS}/${id}`, UPLOADS];
        answers.push(created, ...(await Promise.all(routes.map(send))));
        // One slow answer of a busy machine is no failure; a part that stays away from its work is.
        for (const name of APIS) {
          await vi.waitFor(async () => expect(await rig.deployment.part(name).isReady(), name).toBe(true));
        }
      }
      expect(answers.filter(({ status }) => status >= 400).map(({ text }) => text)).toEqual([]);
      expect(await rig.deployment.part("worker-1").isReady()).toBe(false);
      await proxy.heal();
    });
  });

  it("broker black hole (SIGSTOP), noticed by heartbeat, and no request hangs on it", async () => {
    await rig.bears(async (trial) => {
      node.freeze();
      try {
        expect((await create()).status).toBe(201);
        const { opsUrl } = rig.deployment.part("operation");
        const seen = async () => expect((await readiness(opsUrl))?.["queue"]).toEqual({ state: "away" });
        await vi.waitFor(seen, { timeout: 30_000, interval: 250 });
        await trial.accepted(10);
      } finally {
        node.thaw();
      }
    });
  });

  it("broker memory alarm (connection.blocked), creates are accepted or refused at once", async () => {
    await rig.bears(async (trial) => {
      await node.memoryAlarm(true);
      try {
        for (let index = 0; index < 20; index++) expect([201, 503]).toContain((await create()).status);
        await trial.accepted(5);
      } finally {
        await node.memoryAlarm(false);
      }
    });
  });

  it("queue deleted, declared again and consumed again", async () => {
    await rig.bears(async () => {
      await node.ctl("delete_queue", workQueue);
      await bothConsume();
    });
  });

  it("acknowledgement timeout (consumer_timeout), the channel is opened again", async () => {
    await node.ctl(
      "eval",
      "application:set_env(rabbit, consumer_timeout, 1000), application:set_env(rabbit, channel_tick_interval, 300).",
    );
    // Both are read when a channel is opened.
    await proxy.cut();
    const workers = ["worker-1", "worker-2"].map((name) => rig.deployment.part(name));
    await rig.bears(async (trial) => {
      await trial.longOperation();
      for (const worker of workers) worker.freeze();
      await vi.waitFor(async () => expect(await node.logged(TIMED_OUT)).toBe(true), { timeout: 20_000, interval: 250 });
      for (const worker of workers) worker.thaw();
      await bothConsume();
    });
  });

  it("connections reset during work, no channel is left over", async () => {
    await node.ctl("eval", "application:set_env(rabbit, consumer_timeout, 1800000).");
    await proxy.cut();
    await bothConsume();
    const before = await steadyChannels();
    await rig.bears(async (trial) => {
      for (let round = 0; round < 3; round++) {
        await trial.longOperation();
        await proxy.cut();
        await trial.accepted(3);
      }
    });
    await vi.waitFor(async () => expect(await channels()).toBeLessThanOrEqual(before), {
      timeout: 30_000,
      interval: 500,
    });
  });
});
