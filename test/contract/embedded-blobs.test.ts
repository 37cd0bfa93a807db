import { open, readdir, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { openFileBlobs } from "@hourglass/runtime";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { failureOf, freshFolder } from "./support.js";

const HOUR_MS = 3_600_000;

async function* bytes(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("some");
}

describe("what killed processes leave of blobs in files", () => {
  async function leave(incoming: string, name: string, hoursAgo: number): Promise<void> {
    const file = path.join(incoming, name);
    await writeFile(file, "half a pict");
    const at = new Date(Date.now() - hoursAgo * HOUR_MS);
    await utimes(file, at, at);
  }

  it("is removed by the next process and by those that run, once nothing was written to it for two hours", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { folder, remove } = await freshFolder();
    onTestFinished(async () => {
      vi.useRealTimers();
      await remove();
    });
    const first = await openFileBlobs({ folder });
    const incoming = path.join(folder, "incoming");
    await leave(incoming, "dead", 3);
    await leave(incoming, "alive", 1);
    const next = await openFileBlobs({ folder });
    expect(await readdir(incoming)).toEqual(["alive"]);
    await next.put("k", bytes());
    await leave(incoming, "dead too", 3);
    vi.advanceTimersByTime(HOUR_MS);
    await vi.waitFor(async () => expect(await readdir(incoming)).toEqual(["alive"]));
    await Promise.all([first.close(), next.close()]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a file that is made durable while it is being written", () => {
  const PIECE = Buffer.alloc(1024 * 1024, "x");

  async function* large(): AsyncGenerator<Uint8Array> {
    for (let pieces = 0; pieces < 20; pieces += 1) yield await Promise.resolve(PIECE);
  }

  it("is refused if the disk loses a part of it before the end, although the disk takes the rest", async () => {
    const { folder, remove } = await freshFolder();
    onTestFinished(remove);
    const handle = await open(folder, "r");
    const files = Object.getPrototypeOf(handle) as typeof handle;
    await handle.close();
    // A disk that fills up while it stores earlier writes; the system reports that once.
    const flush = vi
      .spyOn(files, "datasync")
      .mockRejectedValueOnce(Object.assign(new Error("full"), { code: "ENOSPC" }));
    onTestFinished(() => flush.mockRestore());
    const blobs = await openFileBlobs({ folder });
    const failure = await failureOf(blobs.put("large", large()));
    expect(failure).toMatchObject({ kind: "unavailable", code: "storage_full" });
    expect(await blobs.size("large")).toBeUndefined();
    expect(await readdir(path.join(folder, "incoming"))).toEqual([]);
    expect(await blobs.put("large", large())).toBe(20 * PIECE.length);
    await blobs.close();
  });
});
