import { describe, expect, it, vi } from "vitest";
import { UploadQueue, type UploadQueueOptions } from "./upload-queue.js";

const file = (name: string, content = name): File => new File([content], name, { lastModified: 1 });

interface Sent {
  readonly name: string;
  readonly key: string;
  readonly signal: AbortSignal;
  readonly progress: (sent: number) => void;
  readonly end: (id: number) => void;
  readonly fail: () => void;
}

function queueUnderTest(): { readonly queue: UploadQueue; readonly sent: Sent[]; readonly states: () => string[] } {
  const sent: Sent[] = [];
  let keys = 0;
  const options: UploadQueueOptions = {
    check: ({ name }) => Promise.resolve(name.endsWith(".gif") ? "no GIF" : undefined),
    upload: ({ name, size }, { idempotencyKey: key, signal, onProgress }) =>
      new Promise((end, reject) => {
        const fail = (): void => reject(new Error("broken"));
        sent.push({ name, key, signal, end, fail, progress: (bytes) => onProgress({ sent: bytes, total: size }) });
      }),
    describe: () => ({ reason: "broken", mayRetry: true }),
    newKey: () => String(++keys),
  };
  const queue = new UploadQueue(options);
  return { queue, sent, states: () => queue.items.value.map(({ name, state }) => `${name} ${state.kind}`) };
}

describe("UploadQueue", () => {
  it("uploads a few at a time, each as soon as one has ended", async () => {
    const { queue, sent, states } = queueUnderTest();
    queue.add([file("a"), file("b"), file("c"), file("d")], 10);
    await vi.waitFor(() => expect(sent).toHaveLength(3));
    expect(states()).toEqual(["a uploading", "b uploading", "c uploading", "d waiting"]);
    sent[1]?.end(7);
    await vi.waitFor(() => expect(sent).toHaveLength(4));
    expect(queue.fileIds()).toEqual([7]);
  });

  it("never uploads what is refused", async () => {
    const { queue, sent, states } = queueUnderTest();
    queue.add([file("a.gif"), file("b")], 10);
    await vi.waitFor(() => expect(states()).toEqual(["a.gif refused", "b uploading"]));
    expect(sent.map(({ name }) => name)).toEqual(["b"]);
  });

  it("tells the progress, and tries a failed one again with the same key", async () => {
    const { queue, sent, states } = queueUnderTest();
    queue.add([file("a", "1234")], 10);
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    sent[0]?.progress(2);
    expect(queue.items.value[0]?.state).toEqual({ kind: "uploading", sent: 2, total: 4 });
    sent[0]?.fail();
    await vi.waitFor(() => expect(states()).toEqual(["a failed"]));
    queue.retry(queue.items.value[0]?.key ?? "");
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]?.key).toBe(sent[0]?.key);
  });

  it("ends the upload of a file that is removed", async () => {
    const { queue, sent, states } = queueUnderTest();
    queue.add([file("a")], 10);
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    queue.remove(queue.items.value[0]?.key ?? "");
    expect(sent[0]?.signal.aborted).toBe(true);
    expect(states()).toEqual([]);
  });

  it("leaves out what is too much, and what is there already", () => {
    const { queue } = queueUnderTest();
    expect(queue.add([file("a"), file("b"), file("a")], 3)).toEqual({ beyond: 0, repeated: 1 });
    expect(queue.add([file("b"), file("c"), file("d")], 3)).toEqual({ beyond: 1, repeated: 1 });
  });

  it("takes a file of the server once", () => {
    const { queue } = queueUnderTest();
    queue.addStored(4, { name: "old.png", size: 1 });
    queue.addStored(4, { name: "old.png", size: 1 });
    expect(queue.fileIds()).toEqual([4]);
  });
});
