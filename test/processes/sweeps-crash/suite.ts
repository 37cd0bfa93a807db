import { MEDIA_SWEEP_FAILPOINTS } from "@hourglass/media";
import { OPERATION_SWEEP_FAILPOINTS } from "@hourglass/operation";
import type { Document } from "@hourglass/runtime";
import { describe, expect, it, onTestFinished } from "vitest";
import type { TestStorage } from "../../support/test-storage.js";
import { liveOnAfter } from "../lives/live.js";
import { openLifeStorage } from "../lives/storage.js";
import { storedFiles } from "../stored-files.js";
import { STORED_OPERATION } from "./operations.js";

const ENTRY = "sweeps-crash/sweeper";
/** Longer than any claim. */
const LATER_MS = 10 * 60_000;

/** Kills processes at every step of the sweeps of files and operations. */
export function sweepsCrash(openStorage: () => Promise<TestStorage>): void {
  describe("sweeps of processes that were killed", () => {
    it.each([...MEDIA_SWEEP_FAILPOINTS, ...OPERATION_SWEEP_FAILPOINTS])(
      "remove all that crashes of requests have left, and nothing else: %s",
      async (point) => {
        const storage = await openStorage();
        onTestFinished(() => storage.remove());
        await liveOnAfter(point, { entry: ENTRY, storage, laterMs: LATER_MS });

        const { store, queue, close } = await openLifeStorage(storage.env);
        onTestFinished(close);
        const found = async (name: string) => (await store.collection<Document>({ name })).find({});
        expect(await found("files")).toMatchObject([{ state: "claimed", operationId: STORED_OPERATION }]);
        expect(await storedFiles(storage)).toHaveLength(1);
        for (const name of ["operations", "operation_attempts", "operation_leftovers", "file_releases"])
          expect(await found(name), name).toEqual([]);
        for (const name of ["media.sweep", "operation.sweep"]) expect(await queue.countDead(name)).toBe(0);
      },
    );
  });
}
