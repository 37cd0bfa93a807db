import { readdir, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { openFileBlobs } from "@hourglass/runtime";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { freshFolder } from "./support.js";

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
