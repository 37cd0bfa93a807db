import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Part } from "../../support/part.js";
import { LEASE_MS, Patient, pause, type Trial } from "./trial.js";

const BLOCK_MS = 3 * LEASE_MS;
const HOOK = fileURLToPath(new URL("block-on-signal.mjs", import.meta.url));

describe("separate processes, when a worker fails", () => {
  let patient: Patient;
  let first: Part;
  let second: Part;

  beforeAll(async () => {
    const partEnv = { "worker-1": { NODE_OPTIONS: `--import=${HOOK}`, BLOCK_MS: String(BLOCK_MS) } };
    patient = await Patient.start({ topology: "processes", partEnv });
    first = patient.deployment.part("worker-1");
    second = patient.deployment.part("worker-2");
  });
  afterEach(() => patient.expectQuietLogs());
  afterAll(() => patient.remove());

  /** An operation that the first worker has in work while the second is down. */
  async function inWorkAtFirst(trial: Trial): Promise<number> {
    await second.end("SIGTERM");
    return trial.longOperation();
  }

  /** The first worker comes back to work that is another's by now, and leaves it alone. */
  async function expectDropped(operationId: number): Promise<void> {
    const { notes } = patient.deployment;
    const msg = "operation was deleted or taken over, work dropped";
    const dropped = { part: "worker-1", msg, operationId };
    await vi.waitFor(() => expect(notes).toContainEqual(dropped), { timeout: 3 * BLOCK_MS });
    expect(notes).toContainEqual({ part: "worker-2", msg: "operation ended", operationId });
  }

  it("fault 14: kill -9 again while it starts after a kill -9", async () => {
    await patient.bears("fault 14", async (trial) => {
      await trial.longOperation();
      await Promise.all([first.end("SIGKILL"), second.end("SIGKILL")]);
      first.start();
      await pause(150);
      await first.end("SIGKILL");
      patient.deployment.start();
      await patient.deployment.ready();
    });
  });

  it("fault 15: SIGTERM during work, it ends in order and another goes on", async () => {
    await patient.bears("fault 15", async (trial) => {
      const id = await trial.longOperation();
      expect(await first.end("SIGTERM")).toEqual({ code: 0, signal: null });
      await trial.ended(id);
      first.start();
    });
  });

  it("fault 33: a worker out of memory, the other does its work", async () => {
    await patient.bears("fault 33", async (trial) => {
      await first.end("SIGTERM");
      first.start({ NODE_OPTIONS: "--max-old-space-size=24" });
      await trial.longOperation();
      expect(await first.ended(OUT_OF_MEMORY_WITHIN_MS)).toMatchObject({ signal: "SIGABRT" });
      await trial.accepted(10);
      await first.end("SIGKILL");
      first.start();
    });
  });

  it("fault 34: event loop blocked for longer than the lease, its late result is refused", async () => {
    await patient.bears("fault 34", async (trial) => {
      const id = await inWorkAtFirst(trial);
      first.signal("SIGUSR2");
      second.start();
      await trial.ended(id);
      await expectDropped(id);
    });
  });

  it("fault 35: SIGSTOP for longer than the lease, then SIGCONT: the zombie's late result is refused", async () => {
    await patient.bears("fault 35", async (trial) => {
      const id = await inWorkAtFirst(trial);
      first.freeze();
      second.start();
      await trial.ended(id);
      first.thaw();
      await expectDropped(id);
    });
  });
});

const OUT_OF_MEMORY_WITHIN_MS = 15_000;
