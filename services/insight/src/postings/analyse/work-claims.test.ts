import { afterEach, beforeEach, expect, it } from "vitest";
import { draft, PostingsWorld } from "../testing/postings-world.js";
import { WorkClaims } from "./work-claims.js";

const LEASE_MS = 60_000;

let world: PostingsWorld;
beforeEach(async () => {
  world = await PostingsWorld.open();
});
afterEach(() => world.close());

it("leaves works whose results are being stored out of a renewal, which would get in the way of that", async () => {
  await world.save(await world.insight(), [draft(1), draft(2)]);
  const { store, collections } = world;
  const claims = new WorkClaims({ store, collections, leaseMs: LEASE_MS, now: () => world.time });
  const claimed = await claims.claim(2);
  const [ending, going] = claimed?.works ?? [];
  if (claimed === undefined || ending === undefined || going === undefined) throw new Error("two works are due");
  const claimedAt = world.time;

  claimed.ending.add(ending.id);
  world.time += LEASE_MS / 2;
  await claims.renew(claimed);

  expect((await world.collections.work.get(ending.id))?.dueAt).toBe(claimedAt + LEASE_MS);
  expect((await world.collections.work.get(going.id))?.dueAt).toBe(world.time + LEASE_MS);
});
