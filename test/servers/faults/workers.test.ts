import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { LIMITS } from "../../support/limits.js";
import type { Part } from "../../support/part.js";
import { FaultRig, pause, type Trial } from "./fault-rig.js";

const ATTEMPTS_MAX = 4;
/** The message of a worker that returns to work which has been taken over. */
const DROPPED = "operation was deleted or taken over, work dropped";
const HOOK = fileURLToPath(new URL("block-on-signal.mjs", import.meta.url));

describe("separate processes, when a worker fails", () => {
  let rig: FaultRig;
  let first: Part;
  let second: Part;
  const folder = mkdtempSync(path.join(tmpdir(), "hourglass-workers-"));
  const blocked = path.join(folder, "blocked");

  beforeAll(async () => {
    const partEnv = { "worker-1": { NODE_OPTIONS: `--import=${HOOK}`, BLOCKED_WHILE: blocked } };
    rig = await FaultRig.start({ topology: "processes", partEnv });
    first = rig.deployment.part("worker-1");
    second = rig.deployment.part("worker-2");
  });
  afterEach(() => rig.expectQuietLogs());
  afterAll(async () => {
    await rig.remove();
    rmSync(folder, { recursive: true });
  });

  /**
   * Harms the first worker while only it has an operation in work. The second worker starts then and must complete the
   * operation; only afterwards is the first one released, and it must leave the operation alone. Repeats with another
   * operation if the first worker was done before it was harmed.
   */
  async function overtake(trial: Trial, harm: { begin: () => void; end: () => void }): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      await second.end("SIGTERM");
      const id = await trial.longOperation();
      harm.begin();
      try {
        second.start();
        await trial.ended(id);
      } finally {
        harm.end();
      }
      const ends = notesOf(id).filter(({ msg }) => msg === "operation ended");
      if (ends.some(({ part }) => part === first.name)) continue;
      const dropped = { part: first.name, msg: DROPPED, operationId: id };
      await vi.waitFor(() => expect(notesOf(id)).toContainEqual(dropped));
      expect(ends.map(({ part }) => part)).toEqual([second.name]);
      return;
    }
    throw new Error("the worker was done too soon each time");
  }

  const notesOf = (id: number) => rig.deployment.notes.filter(({ operationId }) => operationId === id);

  function block(): void {
    writeFileSync(blocked, "");
    first.signal("SIGUSR2");
  }
  const unblock = () => rmSync(blocked, { force: true });

  it("a worker killed with SIGKILL again while it starts after a kill -9", async () => {
    await rig.bears(async (trial) => {
      await trial.longOperation();
      await Promise.all([first.end("SIGKILL"), second.end("SIGKILL")]);
      first.start();
      await pause(150);
      await first.end("SIGKILL");
      rig.deployment.start();
      await rig.deployment.ready();
    });
  });

  it("SIGTERM during work, it ends in order and another continues", async () => {
    await rig.bears(async (trial) => {
      const id = await trial.longOperation();
      expect(await first.end("SIGTERM")).toEqual({ code: 0, signal: null });
      await trial.ended(id);
      first.start();
    });
  });

  it("a worker out of memory, the other does its work", async () => {
    await rig.bears(async (trial) => {
      await first.end("SIGTERM");
      first.start({ NODE_OPTIONS: "--max-old-space-size=24" });
      await trial.longOperation();
      expect(await first.ended(OUT_OF_MEMORY_WITHIN_MS)).toMatchObject({ signal: "SIGABRT" });
      await trial.accepted(10);
      await first.end("SIGKILL");
      first.start();
    });
  });

  it(
    "event loop blocked for longer than the lease, its late result is refused",
    { timeout: LIMITS.processes },
    async () => {
      await rig.bears((trial) => overtake(trial, { begin: block, end: unblock }));
    },
  );

  it(
    "SIGSTOP for longer than the lease, then SIGCONT: the zombie's late result is refused",
    { timeout: LIMITS.processes },
    async () => {
      await rig.bears((trial) => overtake(trial, { begin: () => first.freeze(), end: () => first.thaw() }));
    },
  );
});

const OUT_OF_MEMORY_WITHIN_MS = 15_000;
