import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { MEDIA_SWEEP_FAILPOINTS } from "@hourglass/media";
import { OPERATION_SWEEP_FAILPOINTS } from "@hourglass/operation";
import { createLogger, type Document, openEmbeddedQueue, openSqliteStore } from "@hourglass/runtime";
import { describe, expect, it, onTestFinished } from "vitest";
import { freshFolder } from "../../contract/support.js";
import { STORED_OPERATION } from "../sweeps-crash/operations.js";

const SWEEPER = fileURLToPath(new URL("../../dist/processes/sweeps-crash/sweeper.js", import.meta.url));
/** Longer than any claim. */
const LATER_MS = 10 * 60_000;

async function live(dataDir: string, failpoints: string, aheadMs: number): Promise<NodeJS.Signals | number | null> {
  const sweeper = spawn(process.execPath, [SWEEPER, dataDir, failpoints, String(aheadMs)], { stdio: "inherit" });
  const [code, signal] = (await once(sweeper, "exit")) as [number | null, NodeJS.Signals | null];
  return signal ?? code;
}

describe("sweeps of processes that were killed", () => {
  it.each([...MEDIA_SWEEP_FAILPOINTS, ...OPERATION_SWEEP_FAILPOINTS])(
    "remove all that crashes of requests have left, and nothing else: %s",
    async (point) => {
      const { folder, remove } = await freshFolder();
      onTestFinished(remove);
      expect(await live(folder, `${point}=1`, 0)).toBe("SIGKILL");
      // Some steps are passed once only.
      expect(["SIGKILL", 0]).toContain(await live(folder, `${point}=2`, LATER_MS));
      expect(await live(folder, "", 2 * LATER_MS)).toBe(0);

      const log = createLogger("silent");
      const store = await openSqliteStore({ dataDir: folder, log });
      onTestFinished(() => store.close());
      const found = async (name: string) => (await store.collection<Document>({ name })).find({});
      expect(await found("files")).toMatchObject([{ state: "claimed", operationId: STORED_OPERATION }]);
      expect(await readdir(path.join(folder, "files", "blobs", "files"))).toHaveLength(1);
      for (const name of ["operations", "operation_attempts", "operation_leftovers", "file_releases"])
        expect(await found(name), name).toEqual([]);
      const queue = await openEmbeddedQueue({ database: store.database, log });
      onTestFinished(() => queue.close());
      for (const name of ["media.sweep", "operation.sweep"]) expect(await queue.countDead(name)).toBe(0);
    },
  );
});
