import { newSearch } from "../search/search-record.js";
import type { CollectWorld } from "./collect-world.js";

export const PLATFORMS = ["twitter", "news"];

const COMPANIES = 10;
const AT_ONCE = 500;

/** Inserts running insights with two platforms each, whose polls are due at the times that `dueAt` returns. */
export async function addInsights(world: CollectWorld, count: number, dueAt: () => number): Promise<void> {
  const first = await world.insight({}, { platforms: PLATFORMS });
  await world.collections.searches.delete({ insightId: first.id });
  for (let done = 0; done < count; done += AT_ONCE) {
    const insights = Array.from({ length: Math.min(AT_ONCE, count - done) }, (_, index) => {
      const id = first.id + 1 + done + index;
      return { ...first, id, companyId: 1 + (id % COMPANIES) };
    });
    await world.collections.insights.insertMany(insights);
    const searches = insights.flatMap((insight) =>
      PLATFORMS.map((platform) => {
        const time = dueAt();
        return { ...newSearch(insight, platform, { now: world.time }), dueAt: time, nextAt: time };
      }),
    );
    await world.collections.searches.insertMany(searches);
  }
}
