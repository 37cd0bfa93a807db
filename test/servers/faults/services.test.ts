import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { freePort } from "../../support/free-port.js";
import { LIMITS } from "../../support/limits.js";
import { EMAIL, PASSWORD } from "../../support/server.js";
import { Toxiproxy, type Proxy } from "../control/toxiproxy.js";
import { expectAway, OPERATIONS, FaultRig, pause } from "./fault-rig.js";

const SMALL = { type: "text", analyses: ["sentiment-simple"], contents: ["a good day"] };
const INSIGHT = { query: { keywords: "museum", platforms: ["news"], dimensions: ["textual"] } };

describe("separate processes, when a service fails", () => {
  let toxiproxy: Toxiproxy;
  /** Between the gateway and Operation. */
  let proxy: Proxy;
  let rig: FaultRig;

  beforeAll(async () => {
    toxiproxy = await Toxiproxy.start();
    const port = await freePort();
    proxy = await toxiproxy.before(port);
    rig = await FaultRig.start({
      topology: "processes",
      workers: 1,
      partEnv: {
        operation: { GRPC_PORT: String(port) },
        gateway: { OPERATION_ADDRESS: `127.0.0.1:${proxy.port}` },
      },
    });
  });
  afterAll(async () => {
    await rig.remove();
    await toxiproxy.remove();
  });

  // A failed test must not affect later ones.
  afterEach(async () => {
    await proxy.heal();
    rig.expectQuietLogs();
  });

  const create = (headers: Record<string, string> = {}) => rig.send("POST", OPERATIONS, { body: SMALL, headers });
  const signIn = () =>
    rig.send("POST", "/api/v1/users/sign_in", { body: { user: { email: EMAIL, password: PASSWORD } } });

  it("Auth kill -9 during sign-in, 503 in between, tokens stay valid", async () => {
    const auth = rig.deployment.part("auth");
    await rig.bears(async () => {
      const cut = signIn();
      await auth.end("SIGKILL");
      for (const answer of [await cut, await signIn()]) if (answer.status !== 200) expectAway(answer);
      auth.start();
      await rig.deployment.ready();
      // The gateway retries after a pause that grows with each failure.
      await vi.waitFor(async () => expect((await signIn()).status).toBe(200), { timeout: 20_000, interval: 250 });
    });
  });

  it("gateway SIGTERM with requests in work, all of them are answered before it ends", async () => {
    const gateway = rig.deployment.part("gateway");
    await rig.bears(async (trial) => {
      const id = await trial.longOperation();
      const polls = Array.from({ length: 10 }, () => rig.send("GET", `${OPERATIONS}/${id}?wait=20`));
      const ends = Promise.allSettled(polls);
      // Sent after them on the same machine: its response means that they have arrived.
      await rig.send("GET", "/healthz");
      expect(await gateway.end("SIGTERM")).toEqual({ code: 0, signal: null });
      const answered = polls.map(() => ({ status: "fulfilled", value: { status: 200 } }));
      expect(await ends).toMatchObject(answered);
      gateway.start();
    });
  });

  it("gateway kill -9 and restart while clients poll, no accepted operation is answered 404", async () => {
    const gateway = rig.deployment.part("gateway");
    await rig.bears(async (trial) => {
      for (const signal of ["SIGKILL", "SIGTERM"] as const) {
        await gateway.end(signal);
        gateway.start();
        await trial.accepted(3);
      }
    });
  });

  it("Insight down behind the gateway, its routes answer 503 and the others work", async () => {
    const insight = rig.deployment.part("insight");
    await rig.bears(async (trial) => {
      await insight.end("SIGKILL");
      expectAway(await rig.send("POST", "/api/v2/products/insight", { body: INSIGHT }));
      expect((await create()).status).toBe(201);
      await trial.accepted(3);
      insight.start();
      await rig.deployment.ready();
      expect((await rig.send("POST", "/api/v2/products/insight", { body: INSIGHT })).status).not.toBe(503);
    });
  });

  it("Operation down behind the gateway, and back", async () => {
    const operation = rig.deployment.part("operation");
    await rig.bears(async () => {
      await operation.end("SIGKILL");
      expectAway(await create());
      expect((await signIn()).status).toBe(200);
      operation.start();
      await rig.deployment.ready();
    });
  });

  it("gRPC deadline passed, the answer says so and the work is not done twice", async () => {
    await rig.bears(async () => {
      await proxy.poison({ type: "latency", stream: "upstream", attributes: { latency: 20_000 } });
      const key = { "idempotency-key": "once, however long it takes" };
      expectAway(await create(key));
      await proxy.heal();
      await proxy.cut();
      await rig.deployment.ready();
      // The gateway's channel may still be in its pause before it reconnects: 503 asks the client to retry.
      const one = await vi.waitFor(
        async () => {
          const answer = await create(key);
          if (answer.status !== 201) expectAway(answer);
          expect(answer.status).toBe(201);
          return answer;
        },
        { timeout: LIMITS.condition, interval: 250 },
      );
      const other = await create(key);
      expect(other).toMatchObject({ status: 201, body: one.body });
    });
  });

  it("connections between gateway and Operation reset", async () => {
    await rig.bears(async (trial) => {
      for (let round = 0; round < 5; round++) {
        await proxy.cut();
        await trial.accepted(2);
        await pause(100);
      }
    });
  });
});
