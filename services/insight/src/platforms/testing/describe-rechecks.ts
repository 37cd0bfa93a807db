import { expect, it } from "vitest";
import { Rechecker } from "../../collect/testing/recheck-world.js";
import type { ConnectorWorld, Upstream } from "./connector-world.js";

const HOUR = 3_600_000;

/** What the suite must know of the look-ups of a platform. */
export interface RecheckSuite<U extends Upstream> {
  /** The longest time for which a new posting may be stored unseen, in milliseconds. */
  readonly termMs: number;
  /** Deletes a posting upstream. */
  readonly remove: (upstream: U, id: string) => void;
  /** Changes a posting upstream, so that the JSON of the stored one contains `text` afterwards. */
  readonly change: (upstream: U, id: string) => { readonly text: string };
}

/** What becomes of stored postings that are changed or deleted upstream, with the connector's own look-ups. */
export function describeRechecks<U extends Upstream>(
  { termMs, remove, change }: RecheckSuite<U>,
  worldOf: () => ConnectorWorld<U>,
): void {
  it("erases what was deleted upstream within the term, and nothing else", async () => {
    const tested = worldOf();
    const { insight, ids } = await collect(tested, 5);
    const [first = "", second = "", ...left] = ids;
    for (const id of [first, second]) remove(tested.upstream, id);
    await new Rechecker(tested.world).run(termMs);
    expect(await tested.stored(insight)).toEqual(left);
  });

  it("refreshes what was changed upstream within the term", async () => {
    const tested = worldOf();
    const { insight, ids } = await collect(tested, 3);
    const { text } = change(tested.upstream, ids[1] ?? "");
    await new Rechecker(tested.world).run(termMs);
    expect(await tested.stored(insight)).toEqual(ids);
    const stored = await tested.world.collections.postings.find({ insightId: insight.id });
    expect(stored.filter(({ content }) => JSON.stringify(content).includes(text))).toHaveLength(1);
  });

  it("changes nothing of what is as it was", async () => {
    const tested = worldOf();
    const { insight } = await collect(tested, 3);
    const read = async () => {
      const stored = await tested.world.collections.postings.find({ insightId: insight.id });
      return stored.map(({ content, version }) => [version, content]);
    };
    const before = await read();
    await new Rechecker(tested.world).run(termMs);
    expect(await read()).toEqual(before);
  });

  describeFailures(remove, termMs, worldOf);
}

function describeFailures<U extends Upstream>(
  remove: RecheckSuite<U>["remove"],
  termMs: number,
  worldOf: () => ConnectorWorld<U>,
): void {
  it("erases nothing while the platform fails, and goes on afterwards", async () => {
    const tested = worldOf();
    const { insight, ids } = await collect(tested, 3);
    remove(tested.upstream, ids[0] ?? "");
    const rechecker = new Rechecker(tested.world);
    for (const fault of [
      { kind: "status", status: 503 },
      { kind: "empty" },
      { kind: "status", status: 404, body: {} },
    ] as const) {
      tested.upstream.failAlways(fault);
      await rechecker.run(termMs);
      expect(await tested.stored(insight)).toEqual(ids);
    }
    tested.upstream.failAlways(undefined);
    await rechecker.run(4 * HOUR);
    expect(await tested.stored(insight)).toEqual(ids.slice(1));
  });
}

/** Stores some postings, pauses the search, so that no poll sees them again, and returns their ids. */
async function collect<U extends Upstream>(tested: ConnectorWorld<U>, count: number) {
  const insight = await tested.insight();
  const ids = tested.post(count);
  await tested.pollToEnd(insight);
  await tested.world.pause(insight);
  return { insight, ids: ids.sort() };
}
