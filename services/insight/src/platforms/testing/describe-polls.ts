import { expect, it } from "vitest";
import { killedAt, LEASE_MS } from "../../collect/testing/collect-world.js";
import { COLLECTOR_FAILPOINTS } from "../../collect/turn/failpoints.js";
import type { ConnectorWorld, Upstream } from "./connector-world.js";

const MINUTE = 60_000;

type WorldOf<U extends Upstream> = () => ConnectorWorld<U>;

/** What a connector finds, if all goes well. */
export function describePolls<U extends Upstream>(pageSize: number, worldOf: WorldOf<U>): void {
  const count = Math.ceil(2.5 * pageSize);

  it("stores every posting of all pages once, and later polls only what is new", async () => {
    const tested = worldOf();
    const insight = await tested.insight();
    const ids = tested.post(count);
    await tested.pollToEnd(insight);
    expect(await tested.stored(insight)).toEqual([...ids].sort());
    tested.world.time += 10 * MINUTE;
    ids.push(...tested.post(3));
    await tested.pollToEnd(insight);
    await tested.pollToEnd(insight);
    expect(await tested.stored(insight)).toEqual([...ids].sort());
  });

  it("gives equal pages for equal answers", async () => {
    const tested = worldOf();
    tested.post(5);
    const [first, second] = [await tested.connector(), await tested.connector()];
    const page = await first.fetchPage(tested.request());
    expect(page.postings).toHaveLength(5);
    expect((await second.fetchPage(tested.request())).postings).toEqual(page.postings);
  });

  it("ends a poll that finds nothing", async () => {
    const tested = worldOf();
    const search = await tested.pollToEnd(await tested.insight());
    expect(search).toMatchObject({ status: "waiting", lastError: null, counts: { stored: 0 } });
  });

  it("collects after a pause what was posted meanwhile", async () => {
    const tested = worldOf();
    const insight = await tested.insight();
    const ids = tested.post(2);
    await tested.pollToEnd(insight);
    await tested.world.pause(insight);
    tested.world.time += 60 * MINUTE;
    ids.push(...tested.post(2));
    await tested.world.resume(insight);
    await tested.pollToEnd(insight);
    expect(await tested.stored(insight)).toEqual([...ids].sort());
  });

  it("gives a preview the newest postings, once", async () => {
    const tested = worldOf();
    const insight = await tested.insight({ sneakPeek: true });
    const ids = tested.post(30);
    await tested.world.worker().pollNext();
    expect(await tested.search(insight)).toMatchObject({ outcome: "answered" });
    expect(await tested.stored(insight)).toEqual(ids.slice(-25).sort());
  });
}

/** What a connector finds although its process dies. */
export function describeDeaths<U extends Upstream>(pageSize: number, worldOf: WorldOf<U>): void {
  const count = Math.ceil(2.5 * pageSize);

  it.each(COLLECTOR_FAILPOINTS.flatMap((point) => [[point, 1] as const, [point, 2] as const]))(
    "loses nothing and repeats nothing if the process is killed at %s, pass %i",
    async (point, pass) => {
      const tested = worldOf();
      const insight = await tested.insight();
      const ids = tested.post(count);
      if (point.endsWith("failure")) tested.upstream.failNext({ kind: "status", status: 503 });
      await tested.world
        .worker(killedAt(point, pass))
        .pollNext()
        .catch(() => undefined);
      tested.world.time += LEASE_MS + 1;
      await tested.pollToEnd(insight);
      expect(await tested.stored(insight)).toEqual([...ids].sort());
    },
  );

  it("moves its cursor only after the last page", async () => {
    const tested = worldOf();
    const insight = await tested.insight();
    const ids = tested.post(count);
    await tested.world.worker({ isStopping: stopAfter(1) }).pollNext();
    expect((await tested.search(insight)).cursor).toBeNull();
    await tested.pollToEnd(insight);
    expect((await tested.search(insight)).cursor).not.toBeNull();
    expect(await tested.stored(insight)).toEqual([...ids].sort());
  });
}

/** What a connector finds although pages are not as they should be. */
export function describeIrregularities<U extends Upstream>(pageSize: number, worldOf: WorldOf<U>): void {
  const count = Math.ceil(2.5 * pageSize);

  it.each(["repeats", "reorders"] as const)("stores each posting once if a page %s", async (irregularity) => {
    const tested = worldOf();
    const { timeline } = tested.upstream;
    if (timeline !== undefined) timeline.irregular[irregularity] = true;
    const insight = await tested.insight();
    const ids = tested.post(count);
    await tested.pollToEnd(insight);
    expect(await tested.stored(insight)).toEqual([...ids].sort());
  });

  it("ends a poll whose pages lead to themselves", async () => {
    const tested = worldOf();
    const { timeline } = tested.upstream;
    if (timeline !== undefined) timeline.irregular.loops = true;
    const insight = await tested.insight();
    tested.post(pageSize);
    await tested.pollToEnd(insight);
    expect(tested.upstream.seen.length).toBeLessThan(6);
    expect(await tested.stored(insight)).toHaveLength(pageSize);
  });
}

/** Stops a process after that many pages. */
function stopAfter(pages: number): () => boolean {
  let asked = 0;
  return () => (asked += 1) > pages;
}
