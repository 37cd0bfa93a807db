import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { InsightRecord } from "../store/records.js";
import { COLLECTOR_FAILPOINTS, type CollectorFailpoint } from "./turn.js";
import { CollectorWorld, draft, killedAt, LEASE_MS, PLATFORM } from "./testing/collector-world.js";
import { TimelinePlatform } from "./testing/fake-platform.js";

type Event =
  | { kind: "post"; count: number }
  | { kind: "poll"; minutes: number }
  | { kind: "kill"; at: CollectorFailpoint; pass: number }
  | { kind: "outage" }
  | { kind: "pause" | "resume" };

const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ kind: fc.constant("post" as const), count: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constant("poll" as const), minutes: fc.integer({ min: 0, max: 20 }) }),
  fc.record({
    kind: fc.constant("kill" as const),
    at: fc.constantFrom(...COLLECTOR_FAILPOINTS),
    pass: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({ kind: fc.constantFrom("outage" as const, "pause" as const, "resume" as const) }),
);

/** One insight on a platform on which the events happen. */
class Story {
  private readonly platform = new TimelinePlatform();
  private isPaused = false;

  private constructor(
    private readonly world: CollectorWorld,
    private readonly insight: InsightRecord,
    newestFirst: boolean,
  ) {
    this.platform.newestFirst = newestFirst;
    this.platform.lookBackMs = 30 * 24 * 3_600_000;
    world.platforms.set(PLATFORM, { connector: this.platform });
  }

  static async begin(world: CollectorWorld, newestFirst: boolean): Promise<Story> {
    return new Story(world, await world.insight(), newestFirst);
  }

  async happen(each: Event): Promise<void> {
    const { world } = this;
    if (each.kind === "post") this.post(each.count);
    if (each.kind === "poll") await this.poll(each.minutes * 60_000);
    if (each.kind === "outage") this.platform.failsAt = this.platform.requests.length + 1;
    if (each.kind === "pause" && !this.isPaused) await world.pause(this.insight).then(() => (this.isPaused = true));
    if (each.kind === "resume") await this.resume();
    if (each.kind === "kill") {
      world.time += LEASE_MS;
      await world
        .worker(killedAt(each.at, each.pass))
        .poll()
        .catch(() => undefined);
    }
  }

  /** Polls without further mishaps until everything must be stored. */
  async end(): Promise<void> {
    await this.resume();
    for (let turn = 0; turn < 4; turn += 1) await this.poll(3_600_000);
    const expected = this.platform.postings.map(({ socialId }) => socialId);
    expect(await this.world.stored(this.insight)).toEqual(expected);
    const { poll, counts, coverage } = await this.world.search(this.insight);
    expect({ poll, stored: counts.stored }).toEqual({ poll: null, stored: expected.length });
    expect(coverage.map(({ completeness }) => completeness)).toEqual(["complete"]);
    const record = await this.world.collections.insights.get(this.insight.id);
    expect(record?.postings).toBe(expected.length);
  }

  private post(count: number): void {
    for (let each = 0; each < count; each += 1) {
      const number = this.platform.postings.length + 1;
      this.platform.postings.push(draft(number, { postedAt: (this.world.time += 1000) }));
    }
  }

  private async poll(ms: number): Promise<void> {
    this.world.time += ms;
    await this.world.worker().poll();
  }

  private async resume(): Promise<void> {
    if (!this.isPaused) return;
    this.isPaused = false;
    await this.world.resume(this.insight);
  }
}

describe("a continuous search", () => {
  it("stores every posting once, whatever happens to its workers, its platform and its insight", async () => {
    const world = await CollectorWorld.open();
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 25 }), fc.boolean(), async (events, newestFirst) => {
        await world.collections.searches.delete({});
        const story = await Story.begin(world, newestFirst);
        for (const each of events) await story.happen(each);
        await story.end();
      }),
      { numRuns: repeats(60) },
    );
    await world.close();
  });
});
