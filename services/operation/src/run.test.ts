import { AnalysisType, OperationStatus, type Operation, Source } from "@hourglass/proto/operation/v1/operation";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RUN_QUEUE } from "./run.js";
import { lengthScore } from "./testing/fakes.js";
import { ended, Gate, GAVE_UP, OperationHarness, publishRun, texts } from "./testing/operation-harness.js";

const SHORT_LEASE = { config: { leaseMs: 1000 } };
const large = Array.from({ length: 450 }, (_, index) => `${index} ${"x".repeat(index)}`);

let harness: OperationHarness;
beforeEach(async () => {
  // One operation at a time, so that a blocked operation can only continue in another process.
  harness = await OperationHarness.open({ config: { ...SHORT_LEASE.config, concurrency: 1 } });
});
afterEach(() => harness.close());

const created = async (contents: readonly string[]) => (await harness.client.createOperation(texts(contents))).id;

function valuesOf(operation: Operation): unknown[] {
  return (operation.data?.contents ?? []).map(({ analyses }) => analyses[0]?.data.value);
}

const expected = (contents: readonly string[]) =>
  contents.map((text): unknown => expect.objectContaining({ prob: lengthScore(text) }));

describe("a worker that loses its operation", () => {
  it("is refused its late commit when it was suspended past its lease (zombie)", async () => {
    const gate = new Gate();
    harness.process.pool.before = () => gate.pass();
    // As after SIGSTOP: it cannot renew and does not notice that time has passed.
    const renewals = vi.spyOn(globalThis, "setInterval").mockReturnValue(0 as unknown as NodeJS.Timeout);
    harness.process.start("relay", "worker");
    const id = await created(["one", "two"]);
    await gate.reached;
    renewals.mockRestore();
    const other = (await harness.another(SHORT_LEASE)).start("relay", "worker");
    const operation = await ended(harness.client, id);
    expect(operation.status).toBe(OperationStatus.DONE);
    const committed = await harness.operations.get(Number(id));
    gate.open();
    await harness.process.stop();
    expect(other.pool.calls).toHaveLength(1);
    expect(await harness.operations.get(Number(id))).toEqual(committed);
    expect(committed).toMatchObject({ attempts: 2, runs: 2 });
  });

  it("is refused by the store even while it believes to hold the lease", async () => {
    const gate = new Gate();
    harness.process.pool.before = () => gate.pass();
    harness.process.start("relay", "worker");
    const id = await created(["one"]);
    await gate.reached;
    // As another worker claims it.
    const dueAt = Date.now() + 60_000;
    const claim = { dueAt, claimed: dueAt, attempts: 2, runs: 2 };
    const taken = await harness.operations.update({ id: Number(id) }, { set: claim });
    gate.open();
    await vi.waitFor(async () => expect(await harness.storage.queue.depth(RUN_QUEUE)).toBe(0));
    // It says that it lives, and stores nothing else.
    const { losses = 0, ...left } = (await harness.operations.get(Number(id)))!;
    expect(left).toEqual({ ...taken, attempts: 1 });
    expect(losses).toBeLessThanOrEqual(1);
  });

  it("adds nothing to the results of a large one that another completes", async () => {
    const gate = new Gate();
    let calls = 0;
    harness.process.pool.before = () => (++calls === 3 ? gate.pass() : undefined);
    const renewals = vi.spyOn(globalThis, "setInterval").mockReturnValue(0 as unknown as NodeJS.Timeout);
    const other = (await harness.another(SHORT_LEASE)).start("relay");
    harness.process.start("worker");
    const id = await created(large);
    await gate.reached;
    renewals.mockRestore();
    other.start("worker");
    const operation = await ended(harness.client, id);
    gate.open();
    await harness.process.stop();
    expect(valuesOf(operation)).toEqual(expected(large));
    // The three parts completed by the first worker were reused.
    expect(other.pool.calls).toHaveLength(2);
    const record = await harness.operations.get(Number(id));
    const parts = await harness.collections.resultParts.find({ operationId: Number(id) });
    expect(parts.map((part) => part.id).sort()).toEqual([...(record?.resultParts ?? [])].sort());
    expect(valuesOf(await ended(harness.client, id))).toEqual(expected(large));
  });

  it("stops at once when the operation is deleted", async () => {
    const gate = new Gate();
    harness.process.pool.before = () => gate.pass();
    harness.process.start();
    const id = await created(large);
    await gate.reached;
    await harness.client.deleteOperation({ id });
    await vi.waitFor(async () => expect(await harness.storage.queue.depth(RUN_QUEUE)).toBe(0));
    gate.open();
    const { operations, contentParts, resultParts } = harness.collections;
    const counts = await Promise.all([operations.count({}), contentParts.count({}), resultParts.count({})]);
    expect(counts).toEqual([0, 0, 0]);
  });

  it("stops at its next heartbeat when another process deleted the operation", async () => {
    const gate = new Gate();
    harness.process.pool.before = () => gate.pass();
    harness.process.start();
    const id = await created(["a"]);
    await gate.reached;
    await (await harness.another(SHORT_LEASE)).client().deleteOperation({ id });
    await vi.waitFor(async () => expect(await harness.storage.queue.depth(RUN_QUEUE)).toBe(0));
    expect(await harness.operations.count({})).toBe(0);
  });
});

describe("a lease", () => {
  /** Waits until the lease has been renewed for longer than it is. */
  async function renewed(id: bigint): Promise<void> {
    const expiry = async () => (await harness.operations.get(Number(id)))?.dueAt ?? 0;
    const first = await expiry();
    await vi.waitFor(async () => expect(await expiry()).toBeGreaterThan(first + SHORT_LEASE.config.leaseMs));
  }

  it("is kept by a worker that takes longer than it", async () => {
    const gate = new Gate();
    harness.process.pool.before = () => gate.pass();
    harness.process.start();
    const id = await created(["slow"]);
    await gate.reached;
    await renewed(id);
    gate.open();
    await ended(harness.client, id);
    expect(await harness.operations.get(Number(id))).toMatchObject({ attempts: 1, runs: 1, status: "done" });
  });

  it("is not ended by a sweeper whose clock is an hour ahead", async () => {
    const gate = new Gate();
    harness.process.pool.before = () => gate.pass();
    harness.process.start();
    const id = await created(["slow"]);
    await gate.reached;
    (await harness.another({ ...SHORT_LEASE, clock: () => Date.now() + 3_600_000 })).start("sweeper");
    await renewed(id);
    gate.open();
    await ended(harness.client, id);
    expect(await harness.operations.get(Number(id))).toMatchObject({ attempts: 1, runs: 1, status: "done" });
  });
});

describe("a message", () => {
  it("that comes many times, before and after the end, is carried out once", async () => {
    const id = await created(["a"]);
    for (let copy = 0; copy < 5; copy++) await publishRun(harness, Number(id));
    harness.process.start();
    const operation = await ended(harness.client, id);
    for (let copy = 0; copy < 5; copy++) await publishRun(harness, Number(id));
    await vi.waitFor(async () => expect(await harness.storage.queue.depth(RUN_QUEUE)).toBe(0));
    expect(harness.process.pool.calls).toHaveLength(1);
    expect(await ended(harness.client, id)).toEqual(operation);
  });

  it("that nobody can read goes to the dead letters at once", async () => {
    harness.process.start();
    await harness.storage.queue.publish(RUN_QUEUE, new Uint8Array([0xff, 0xff, 0xff]));
    await vi.waitFor(async () => expect(await harness.storage.queue.listDead(RUN_QUEUE, 10)).toHaveLength(1));
    expect((await harness.storage.queue.listDead(RUN_QUEUE, 10))[0]?.attempts).toBe(1);
  });

  it("that was lost is published again", async () => {
    const id = await created(["a"]);
    await harness.operations.update({ id: Number(id) }, { set: { status: "pending", dueAt: 1 } });
    harness.process.start();
    expect((await ended(harness.client, id)).status).toBe(OperationStatus.DONE);
  });
});

describe("an analysis that fails", () => {
  it("is tried again and succeeds", async () => {
    let failures = 2;
    harness.process.pool.before = () => {
      if (failures-- > 0) throw new Error("no thread");
    };
    harness.process.start();
    const id = await created(["a"]);
    expect((await ended(harness.client, id)).status).toBe(OperationStatus.DONE);
    expect(await harness.operations.get(Number(id))).toMatchObject({ attempts: 3 });
  });

  it("ends failed after five attempts, with a plain error and no data, while others continue", async () => {
    harness.process.pool.before = (given) => {
      if (given.includes("POISON")) throw new Error("secret internals");
    };
    harness.process.start();
    const poison = await created(["POISON"]);
    const healthy = await created(["fine"]);
    expect((await ended(harness.client, healthy)).status).toBe(OperationStatus.DONE);
    const operation = await ended(harness.client, poison);
    expect(operation).toMatchObject({ status: OperationStatus.FAILED, error: GAVE_UP });
    expect(operation.data).toBeUndefined();
    expect(harness.process.pool.calls.filter((call) => call.texts.includes("POISON"))).toHaveLength(5);
    await vi.waitFor(async () => expect(await harness.storage.queue.listDead(RUN_QUEUE, 10)).toHaveLength(1));
  });

  it("counts an attempt whose worker died, so poison that kills workers ends too", async () => {
    const id = await created(["a"]);
    await harness.operations.update(
      { id: Number(id) },
      { set: { status: "running", attempts: 10, runs: 10, dueAt: 1 } },
    );
    harness.process.start();
    expect(await ended(harness.client, id)).toMatchObject({ status: OperationStatus.FAILED, error: GAVE_UP });
    expect(harness.process.pool.calls).toHaveLength(0);
  });
});

describe("a worker that is stopped", () => {
  it("finishes what ends within half of its grace", async () => {
    const gate = new Gate();
    harness.process.pool.before = () => gate.pass();
    harness.process.start();
    const id = await created(["a"]);
    await gate.reached;
    setTimeout(() => gate.open(), 100);
    await harness.process.stop(2000);
    expect(await harness.operations.get(Number(id))).toMatchObject({ status: "done" });
  });

  it("hands the rest back without counting the attempt, and another continues", async () => {
    const gate = new Gate();
    harness.process.pool.before = () => gate.pass();
    harness.process.start("relay", "worker");
    const id = await created(["a"]);
    await gate.reached;
    await harness.process.stop(200);
    expect(await harness.operations.get(Number(id))).toMatchObject({
      status: "pending",
      attempts: 0,
    });
    (await harness.another(SHORT_LEASE)).start();
    expect((await ended(harness.client, id)).status).toBe(OperationStatus.DONE);
    gate.open();
  });
});

describe("personality-mb", () => {
  const { PERSONALITY_MB, TOPIC } = AnalysisType;
  const contents = ["aa", "bbb", "cccc", "ddddd"];
  const run = async (groups: string[], analyses = [PERSONALITY_MB]) => {
    harness.process.start();
    const { id } = await harness.client.createOperation({ ...texts(contents, analyses), contentsGroups: groups });
    const operation = await ended(harness.client, id);
    return (operation.data?.contents ?? []).map(({ analyses: entries }) =>
      entries
        .filter(({ type }) => type === PERSONALITY_MB)
        .map(({ source, groupIndex, data }) => [
          Source[source],
          groupIndex,
          data.case === "personality" && [data.value.group, data.value.prob1],
        ]),
    );
  };

  it("pools all contents, each carrying the result, when no groups are named", async () => {
    const pooled = ["GROUP", undefined, [true, lengthScore(contents.join("\n"))]];
    expect(await run([])).toEqual([[pooled], [pooled], [pooled], [pooled]]);
  });

  it("pools each group, and gives a content in no group its own", async () => {
    const first = ["GROUP", 0, [true, lengthScore("aa\ncccc")]];
    const second = ["GROUP", 1, [true, lengthScore("aa\nbbb")]];
    expect(await run(["2,0", "0,1"])).toEqual([
      [first, second],
      [second],
      [first],
      [["CONTENT", undefined, [false, lengthScore("ddddd")]]],
    ]);
    expect(harness.process.pool.calls.map((call) => call.texts)).toEqual([["ddddd"], ["aa\ncccc", "aa\nbbb"]]);
  });

  it("without it, groups have no effect", async () => {
    expect(await run(["0,1"], [TOPIC])).toEqual([[], [], [], []]);
    expect(harness.process.pool.calls).toHaveLength(1);
  });

  it("says on every member when its group could not be analyzed", async () => {
    harness.process.start();
    const request = { ...texts(["UNREADABLE", "fine", "alone"], [PERSONALITY_MB]), contentsGroups: ["0,1"] };
    const operation = await ended(harness.client, (await harness.client.createOperation(request)).id);
    const error = "personality-mb: nothing to read";
    expect(operation.data?.contents.map((content) => content.error)).toEqual([error, error, ""]);
  });

  it("works for an operation in many parts", async () => {
    harness.process.start();
    const request = { ...texts(large, [TOPIC, PERSONALITY_MB]), contentsGroups: ["449,0", "1,200"] };
    const operation = await ended(harness.client, (await harness.client.createOperation(request)).id);
    const probOf = (index: number) => {
      const data = operation.data?.contents[index]?.analyses[1]?.data;
      return data?.case === "personality" ? data.value.prob1 : undefined;
    };
    expect(probOf(449)).toBe(lengthScore(`${large[0]}\n${large[449]}`));
    expect(probOf(200)).toBe(lengthScore(`${large[1]}\n${large[200]}`));
    expect(probOf(7)).toBe(lengthScore(large[7] ?? ""));
    expect(await harness.collections.resultParts.count({})).toBe(6);
  });
});
