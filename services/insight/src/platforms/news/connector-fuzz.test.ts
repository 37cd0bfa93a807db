import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { PlatformError } from "../connector.js";
import { numberedItems, rss } from "./testing/feeds.js";
import { NewsWorld } from "./testing/news-world.js";

it("gives a page or a PlatformError for whatever a server answers", async () => {
  const world = await NewsWorld.open();
  onTestFinished(() => world.close());
  const connector = await world.connector();
  const body = rss(numberedItems(2, world.time));
  const header = fc.string({ unit: fc.constantFrom(...'aZ09 "=;,:-/%'.split("")) }).map((value) => value.trim());
  const names = fc.constantFrom(
    "ETag",
    "Last-Modified",
    "Cache-Control",
    "Age",
    "Retry-After",
    "Content-Type",
    "Location",
  );
  const site = fc.record({
    status: fc.oneof(fc.constant(200), fc.integer({ min: 200, max: 599 })),
    body: fc.oneof(
      fc.constant(body),
      fc.nat(body.length).map((end) => body.slice(0, end)),
      fc.string(),
      fc.uint8Array(),
    ),
    headers: fc.dictionary(names, header),
    gzip: fc.boolean(),
  });
  let number = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(site, { minLength: 1, maxLength: 3 }), async (sites) => {
      const feeds = sites.map((given) => world.server.serve(`/${number++}`, given));
      const outcome: unknown = await connector.fetchPage(world.request(feeds)).catch((error: unknown) => error);
      if (outcome instanceof PlatformError) expect(outcome.message).toMatch(/feed/i);
      else expect(outcome).toMatchObject({ requests: feeds.length, nextPage: null });
    }),
    { numRuns: 60 },
  );
});
