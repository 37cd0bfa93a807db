import { AnalysisType, OperationType } from "@hourglass/proto/operation/v1/operation";
import { AppError, type Collection, type Document, type Store } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CreationAttempts } from "./attempts.js";
import { FakeMedia } from "./testing/fakes.js";
import { failureOf, Gate, type OperationClient, OperationHarness } from "./testing/operation-harness.js";

const HOUR_MS = 3_600_000;
/** The id that the attempt of a dead process reserved for its operation. */
const DEAD = 900;

let harness: OperationHarness;
let media: FakeMedia;
let now: number;
beforeEach(async () => {
  now = Date.now();
  media = new FakeMedia();
  harness = await OperationHarness.open({ media: media.seen, clock: () => now, config: { leaseMs: 1000 } });
});
afterEach(() => harness.close());

const files = (fileIds: readonly bigint[], idempotencyKey = "") => ({
  type: OperationType.FILE,
  analyses: [AnalysisType.OBJECT_ID],
  contents: fileIds.map((value) => ({ value: { case: "fileId" as const, value } })),
  idempotencyKey,
});

/** The state that a process leaves if it is killed between the claim and the insert. */
async function die(key: string | null): Promise<void> {
  const idempotency = key === null ? null : `1:${key}`;
  const attempt = { id: DEAD, companyId: 1, idempotency, state: "open", beats: 3, dueAt: null } as const;
  await harness.collections.attempts.insert(attempt);
  await harness.collections.contentParts.insert({ id: `${DEAD}:0`, operationId: DEAD, contents: [1, 2] });
  media.claims.set(BigInt(DEAD), [1n, 2n]);
}

const visible = () => harness.operations.find({ companyId: 1 });
const away = new AppError("unavailable", "away");

describe("a repetition with the key of a creation whose process died over its claim", () => {
  it("takes over, and has the files", async () => {
    await die("k");
    const { id } = await harness.client.createOperation(files([1n, 2n], "k"));
    expect([...media.claims.keys()]).toEqual([id]);
    expect(await visible()).toMatchObject([{ id: Number(id), status: "ready" }]);
    expect(await harness.collections.contentParts.count({ operationId: DEAD })).toBe(0);
    expect((await harness.client.createOperation(files([1n, 2n], "k"))).id).toBe(id);
  });

  it("takes over once, when many come at once in two processes", async () => {
    await die("k");
    const another = (
      await harness.another({ media: media.seen, clock: () => now, config: { leaseMs: 1000 } })
    ).client();
    const calls = Array.from({ length: 12 }, (_, index) =>
      (index % 2 ? another : harness.client).createOperation(files([1n, 2n], "k")),
    );
    const ids = new Set((await Promise.all(calls)).map(({ id }) => id));
    expect(ids.size).toBe(1);
    expect([...media.claims.keys()]).toEqual([...ids]);
    expect(await visible()).toHaveLength(1);
  });

  it("may be another request: no answer was ever given for the key", async () => {
    await die("k");
    const { id } = await harness.client.createOperation(files([2n, 3n], "k"));
    expect([...media.claims]).toEqual([[id, [2n, 3n]]]);
  });

  it("is 503 while Media is unavailable, and succeeds once it is back", async () => {
    await die("k");
    media.releaseFailure = away;
    for (let time = 0; time < 2; time++) {
      expect(await failureOf(harness.client.createOperation(files([1n, 2n], "k")))).toMatchObject({
        kind: "unavailable",
      });
    }
    expect(await visible()).toEqual([]);
    media.releaseFailure = undefined;
    const { id } = await harness.client.createOperation(files([1n, 2n], "k"));
    expect([...media.claims.keys()]).toEqual([id]);
  });

  it("finds the way free after the sweeper gave it up, which has not released the files yet", async () => {
    await die("k");
    media.releaseFailure = away;
    harness.process.start("sweeper");
    await vi.waitFor(async () => expect(await harness.collections.attempts.count({ state: "abandoned" })).toBe(1));
    expect(media.claims.has(BigInt(DEAD))).toBe(true);
    media.releaseFailure = undefined;
    const { id } = await harness.client.createOperation(files([1n, 2n], "k"));
    expect([...media.claims.keys()]).toEqual([id]);
  });
});

describe("a repetition while the first request is still carried out", () => {
  /** After that silence the repetition would take over: almost four heartbeats. */
  const SILENCE_MS = 2000;
  let client: OperationClient;
  /** The monotonic clock, so that nothing is taken for dead because the machine is busy. */
  let monotonic = performance.now();
  beforeEach(async () => {
    vi.spyOn(performance, "now").mockImplementation(() => monotonic);
    const config = { leaseMs: 4 * SILENCE_MS };
    client = (await harness.another({ media: media.seen, clock: () => now, config })).client();
  });
  afterEach(() => void vi.restoreAllMocks());

  it("waits for its answer, however long the claim takes", async () => {
    const gate = new Gate();
    media.answering = () => gate.pass();
    const first = client.createOperation(files([1n], "k"));
    await vi.waitFor(() => expect(media.claims.size).toBe(1));
    const second = client.createOperation(files([1n], "k"));
    // Heartbeats, each in time, for longer than the silence after which it would take over.
    for (let beats = 1; beats <= 3; beats += 1) {
      await vi.waitFor(async () =>
        expect((await harness.collections.attempts.find({}))[0]?.beats).toBeGreaterThanOrEqual(beats),
      );
      monotonic += 0.7 * SILENCE_MS;
    }
    gate.open();
    expect((await second).id).toBe((await first).id);
    expect(await visible()).toHaveLength(1);
  });

  it("is refused with another body once that one stands", async () => {
    const gate = new Gate();
    media.answering = () => gate.pass();
    const first = client.createOperation(files([1n], "k"));
    await vi.waitFor(() => expect(media.claims.size).toBe(1));
    const second = failureOf(client.createOperation(files([2n], "k")));
    gate.open();
    await first;
    expect(await second).toMatchObject({ kind: "invalid", code: "idempotency_key_reused" });
  });

  it("is carried out itself when the first is refused", async () => {
    media.claims.set(77n, [5n]);
    const refused = failureOf(client.createOperation(files([5n], "k")));
    expect(await refused).toMatchObject({ kind: "invalid", violations: [{ field: "contents[0]" }] });
    media.claims.clear();
    await client.createOperation(files([5n], "k"));
    expect(await harness.collections.attempts.count({})).toBe(0);
  });
});

describe("a creation that fails", () => {
  it("gives back a claim whose answer was lost, and is free to be repeated at once", async () => {
    media.answering = () => Promise.reject(away);
    expect(await failureOf(harness.client.createOperation(files([1n])))).toMatchObject({ kind: "unavailable" });
    expect(media.claims.size).toBe(0);
    media.answering = undefined;
    const { id } = await harness.client.createOperation(files([1n]));
    expect([...media.claims.keys()]).toEqual([id]);
  });

  it("stores nothing after it was given up, though it continues", async () => {
    const gate = new Gate();
    media.answering = () => gate.pass();
    const slow = failureOf(harness.client.createOperation(files([1n], "k")));
    await vi.waitFor(() => expect(media.claims.size).toBe(1));
    const [attempt] = await harness.collections.attempts.find({});
    const { repository } = harness;
    const attempts = new CreationAttempts({ repository, leaseMs: 1000, now: () => now });
    expect(await attempts.preventStoring(attempt?.id ?? 0)).toBe(true);
    gate.open();
    expect(await slow).toMatchObject({ kind: "unavailable", retryAfterMs: 1000 });
    expect([await visible(), media.claims.size]).toEqual([[], 0]);
    media.answering = undefined;
    const { id } = await harness.client.createOperation(files([1n], "k"));
    expect([...media.claims.keys()]).toEqual([id]);
  });

  it("stands when its insert was made and only the answer was lost", async () => {
    const process = await harness.another({
      media: media.seen,
      store: answersLost(harness.storage.store, "operations"),
    });
    const { id } = await process.client().createOperation(files([1n], "k"));
    expect(await visible()).toMatchObject([{ id: Number(id) }]);
    expect([...media.claims.keys()]).toEqual([id]);
  });
});

describe("the claim of a creation without a key whose process died", () => {
  it("is released, at the latest with the sweep after a lease, and shows nowhere", async () => {
    await die(null);
    harness.process.start("relay", "sweeper");
    await vi.waitFor(() => expect(media.claims.size).toBe(0));
    expect((await harness.client.listOperations({})).operations).toEqual([]);
    expect((await failureOf(harness.client.getOperation({ id: BigInt(DEAD) }))).kind).toBe("not-found");
    expect((await failureOf(harness.client.deleteOperation({ id: BigInt(DEAD) }))).kind).toBe("not-found");
    await vi.waitFor(async () => expect(await harness.collections.attempts.count({ state: "abandoned" })).toBe(1));
    now += HOUR_MS + 1000;
    await vi.waitFor(async () => {
      expect([await harness.operations.count({}), await harness.collections.attempts.count({})]).toEqual([0, 0]);
    });
  });

  it("is released once Media is back, and is no dead letter while it is away", async () => {
    await die(null);
    media.releaseFailure = away;
    harness.process.start("relay", "sweeper");
    await vi.waitFor(async () => expect(await harness.collections.attempts.count({ state: "abandoned" })).toBe(1));
    for (let time = 0; time < 6; time++) {
      const dueAt = await vi.waitFor(async () => {
        const [note] = await harness.collections.cleanupNotes.find({});
        // Put off, with the attempt not counted; a claim would last for the lease of one second only.
        expect(note).toMatchObject({ files: true, attempts: 0 });
        expect(note?.dueAt).toBeGreaterThan(now + 2000);
        return note?.dueAt ?? 0;
      });
      now = dueAt;
    }
    expect(media.claims.size).toBe(1);
    media.releaseFailure = undefined;
    await vi.waitFor(() => {
      now += 1000;
      expect(media.claims.size).toBe(0);
    });
    expect(await harness.storage.queue.countDead("operation.sweep")).toBe(0);
  });

  it("is released when its remains are removed, if its process claimed files late and ended", async () => {
    await die(null);
    await harness.collections.attempts.update({ id: DEAD }, { set: { state: "abandoned", dueAt: now + HOUR_MS } });
    harness.process.start("relay", "sweeper");
    now += HOUR_MS + 1000;
    await vi.waitFor(async () => expect(await harness.collections.attempts.count({})).toBe(0));
    expect(media.claims.size).toBe(0);
  });

  it("stays with an operation that was stored, when only the note of its creation is left", async () => {
    const { id } = await harness.client.createOperation(files([1n]));
    await harness.collections.attempts.insert({
      id: Number(id),
      companyId: 1,
      idempotency: null,
      state: "open",
      beats: 1,
      dueAt: null,
    });
    harness.process.start("sweeper");
    await vi.waitFor(async () => expect(await harness.collections.attempts.count({})).toBe(0));
    expect([...media.claims.keys()]).toEqual([id]);
    expect(await visible()).toMatchObject([{ id: Number(id), status: "ready" }]);
  });
});

/** A store that performs every insert into the collection and then fails. */
function answersLost(store: Store, name: string): Store {
  const collection = async <T extends Document>(spec: { name: string }): Promise<Collection<T>> => {
    const whole = await store.collection<T>(spec);
    if (spec.name !== name) return whole;
    const insert = async (document: T): Promise<void> => {
      await whole.insert(document);
      throw away;
    };
    return standIn(whole, { insert });
  };
  return standIn(store, { collection });
}

/** The object with some methods replaced. */
function standIn<T extends object>(whole: T, replaced: Partial<T>): T {
  const get = (_: T, key: string | symbol): unknown => {
    const value: unknown = Reflect.get(key in replaced ? replaced : whole, key);
    return typeof value === "function" ? (value.bind(whole) as unknown) : value;
  };
  return new Proxy(whole, { get });
}
