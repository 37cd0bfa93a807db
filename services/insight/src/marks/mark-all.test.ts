import { outboundSettings, readConfig } from "@hourglass/runtime";
import { afterEach, beforeEach, expect, it } from "vitest";
import { insightSettings } from "../config.js";
import { buildInsightService } from "../insight-service.js";
import { draft, PostingsWorld } from "../postings/testing/postings-world.js";
import { OCTOBER, summaryOf } from "../summary/testing/summary-world.js";

let world: PostingsWorld;
beforeEach(async () => {
  world = await PostingsWorld.open();
});
afterEach(() => world.close());

/** Opens the store as a process of the service does. */
async function open(): Promise<void> {
  const config = { ...readConfig({}, { insight: insightSettings, outbound: outboundSettings }), leaseMs: 1_000 };
  const { store, log, now: clock } = world;
  const service = await buildInsightService({ store, config, log, clock });
  service.close();
}

it("counts postings that an earlier version listed without marks, once a service has opened the store", async () => {
  const insight = await world.insight();
  await world.save(insight, [draft(1), draft(1.5), draft(30), draft(31)]);
  // Lists them as a version did that knew no marks.
  await world.endAnalyses(insight, { sentiment: "joy" });
  await world.save(insight, [draft(2)]);
  expect(await world.collections.summaryMarks.find({})).toEqual([]);
  await open();
  const { totals, series } = await summaryOf(world, insight, { filter: OCTOBER });
  expect(totals?.postings).toBe(4n);
  expect(series.slice(0, 2).map(({ counts }) => counts?.postings)).toEqual([2n, 2n]);
  await open();
  expect(await world.collections.summaryMarks.find({ level: "hour" })).toEqual([]);
});
