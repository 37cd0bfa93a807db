import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { ListPostingsRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { InsightRecord } from "../store/records.js";
import { COMPANY, draft, PostingsWorld } from "./testing/postings-world.js";
import { PostingLists } from "./list.js";

type Options = Omit<MessageInitShape<typeof ListPostingsRequestSchema>, "id" | "$typeName">;

describe("listing postings", () => {
  let world: PostingsWorld;
  let insight: InsightRecord;
  beforeEach(async () => {
    world = await PostingsWorld.open();
    insight = await world.insight();
  });
  afterEach(() => world.close());

  const list = (options: Options = {}, { id = insight.id, companyId = COMPANY } = {}) =>
    new PostingLists(world).read(create(ListPostingsRequestSchema, { ...options, id: BigInt(id) }), {
      companyId,
      signal: new AbortController().signal,
    });

  const idsOf = ({ postings }: Awaited<ReturnType<typeof list>>) => postings.map(({ socialId }) => socialId);

  /** The pages that a client reads by following the cursors. */
  const readAll = async (options: Options, between?: () => Promise<void>): Promise<(string | undefined)[][]> => {
    const pages: (string | undefined)[][] = [];
    for (let cursor = ""; pages.length === 0 || cursor !== "";) {
      const page = await list({ ...options, cursor });
      pages.push(idsOf(page));
      cursor = page.nextCursor;
      await between?.();
    }
    return pages;
  };

  it("lists the newest posting first", async () => {
    await world.save(insight, [draft(1), draft(3), draft(2)]);
    await world.endAnalyses(insight);
    expect(idsOf(await list())).toEqual(["s3", "s2", "s1"]);
  });

  describe("of equal time", () => {
    /** In order, as text; that of a posting without one comes first. */
    const TIED = [undefined, "10", "9", "A", "a", "\uffee", "\u{1f985}"];
    /** From a list of all postings, and from the columns of those that a filter finds. */
    const WAYS: readonly Options[] = [{}, { filter: { platforms: [Platform.TWITTER] } }, { sort: "like_count" }];

    beforeEach(async () => {
      const mixed = [...TIED].sort((one = "", other = "") => one.length - other.length || (one < other ? 1 : -1));
      const tied = mixed.map((socialId) => {
        const { socialId: _, ...rest } = draft(5, { url: `https://example.com/${socialId ?? ""}` });
        return { ...rest, ...(socialId !== undefined && { socialId }) };
      });
      await world.save(insight, [draft(4), ...tied, draft(6)]);
      await world.endAnalyses(insight);
    });

    it.each(WAYS)("is in the order of the ids on the platform, with %j", async (way) => {
      const all = ["s4", ...TIED, "s6"];
      for (const limit of [1, 3, 50]) {
        expect((await readAll({ ...way, limit, ascending: true })).flat()).toEqual(all);
        expect((await readAll({ ...way, limit })).flat()).toEqual([...all].reverse());
      }
    });

    it.each(WAYS)("continues after a posting that was erased since, with %j", async (way) => {
      for (const [ascending, erased, left] of [
        [true, "9", ["A", "a", "\uffee", "\u{1f985}", "s6"]],
        [false, "a", ["A", "10", undefined, "s4"]],
      ] as const) {
        let page = await list({ ...way, ascending, limit: 1 });
        while (idsOf(page)[0] !== erased) page = await list({ ...way, ascending, limit: 1, cursor: page.nextCursor });
        await world.collections.postings.delete({ socialId: erased });
        await world.endAnalyses(insight);
        expect(idsOf(await list({ ...way, ascending, cursor: page.nextCursor }))).toEqual(left);
      }
    });

    it("takes a cursor after the longest id", async () => {
      const socialId = "\u{1f985}".repeat(250);
      await world.save(insight, [draft(7, { socialId })]);
      await world.endAnalyses(insight);
      const { nextCursor } = await list({ limit: 1 });
      expect(nextCursor.length).toBeLessThan(4000);
      expect(idsOf(await list({ limit: 1, cursor: nextCursor }))).toEqual(["s6"]);
    });
  });

  it("leaves out postings whose analysis has not ended", async () => {
    await world.save(insight, [draft(1)]);
    await world.endAnalyses(insight);
    await world.save(insight, [draft(2)]);
    expect(idsOf(await list())).toEqual(["s1"]);
  });

  it("neither repeats nor hides a posting while others arrive", async () => {
    await world.save(
      insight,
      [1, 2, 3, 4, 5].map((number) => draft(number * 10)),
    );
    await world.endAnalyses(insight);
    let arriving = 0;
    const pages = await readAll({ limit: 2 }, async () => {
      await world.save(insight, [draft(100 + arriving), draft(arriving * 10 + 15)]);
      await world.endAnalyses(insight);
      arriving++;
    });
    const seen = pages.flat();
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(["s10", "s20", "s30", "s40", "s50"]));
  });

  it("continues after a posting that was erased since", async () => {
    await world.save(insight, [draft(1), draft(2), draft(3)]);
    await world.endAnalyses(insight);
    const { nextCursor } = await list({ limit: 1 });
    await world.collections.postings.delete({ socialId: "s3" });
    expect(idsOf(await list({ cursor: nextCursor }))).toEqual(["s2", "s1"]);
  });

  it("ends without a cursor when the last page is full", async () => {
    await world.save(insight, [draft(1), draft(2)]);
    await world.endAnalyses(insight);
    expect(await readAll({ limit: 1 })).toEqual([["s2"], ["s1"]]);
  });

  it("refuses a cursor that was altered, or that belongs to another search", async () => {
    await world.save(insight, [draft(1), draft(2)]);
    await world.endAnalyses(insight);
    const { nextCursor } = await list({ limit: 1 });
    expect(nextCursor.length).toBeLessThanOrEqual(200);
    const other = await world.insight();
    await expect(list({ cursor: nextCursor }, { id: other.id })).rejects.toMatchObject({ kind: "invalid" });
    await fc.assert(
      fc.asyncProperty(fc.nat(nextCursor.length - 1), fc.constantFrom("A", "b", "7", "", "."), async (at, char) => {
        const altered = nextCursor.slice(0, at) + char + nextCursor.slice(at + 1);
        fc.pre(altered !== nextCursor);
        await expect(list({ cursor: altered })).rejects.toMatchObject({ violations: [{ field: "cursor" }] });
      }),
    );
  });

  it("filters by platform, labels, language, time and the query language", async () => {
    await world.save(insight, [draft(1), draft(2, { text: "A buzzard", tags: ["birds"] })]);
    await world.save(insight, [draft(3)], { platform: "news" });
    await world.endAnalyses(insight);
    await world.change("s2", { sentiment: "joy", language: "en-GB" });
    await world.change("s3", { intention: "wish" });

    const filtered = async (filter: Options["filter"]) => idsOf(await list({ filter: filter ?? {} }));
    expect(await filtered({ platforms: [Platform.NEWS] })).toEqual(["s3"]);
    expect(await filtered({ sentiment: "joy" })).toEqual(["s2"]);
    expect(await filtered({ intention: "wish" })).toEqual(["s3"]);
    expect(await filtered({ language: "EN" })).toEqual(["s2"]);
    const [start, end] = [draft(2), draft(3)].map(({ postedAt }) => timestampFromMs(postedAt));
    expect(await filtered({ start: start!, end: end! })).toEqual(["s2"]);
    expect(await filtered({ q: "kestrel -3" })).toEqual(["s1"]);
    expect(await filtered({ q: "#birds" })).toEqual(["s2"]);
    await expect(list({ filter: { q: '"open' } })).rejects.toMatchObject({ violations: [{ field: "filter.q" }] });
  });

  it("gives pages with few postings rather than read on for a rare word", async () => {
    const many = Array.from({ length: 1_300 }, (_, number) => draft(number));
    await world.save(insight, many);
    await world.endAnalyses(insight);
    const pages = await readAll({ filter: { q: '"number 3"' } });
    expect(pages).toEqual([[], ["s3"]]);
  });

  it("states all that is known of a posting, and the terms of the search", async () => {
    const full = draft(1, {
      url: "https://example.com/1",
      type: "reply",
      place: { geo: "-1.5,53.8", fullName: "Leeds" },
      author: { id: "a1", username: "ann" },
      counts: { like_count: 3, comment_count: -2 },
      media: ["https://example.com/a.png"],
      moreInfo: { title: "Birds" },
    });
    await world.save(insight, [full]);
    const notes = { spam: { value: "ham", prob: 0.9 }, sentiment_simple: { value: "positive", prob: 0.8 } };
    const analysis = { topics: ["Leeds"], labels: ["bird"], moreInfo: notes };
    await world.endAnalyses(insight, { sentiment: "joy", intention: "none", language: "en", analysis });
    const { postings } = await list();
    const { moreInfoJson = "", ...stated } = postings[0] ?? {};
    expect(JSON.parse(moreInfoJson)).toEqual({
      title: "Birds",
      ...notes,
      key: expect.stringMatching(/^twitter-[\w-]{22}$/) as string,
    });
    expect(stated).toMatchObject({
      insightSearchId: BigInt(insight.id),
      platform: Platform.TWITTER,
      terms: "kestrel",
      socialId: "s1",
      socialUrl: "https://example.com/1",
      sentiments: "joy",
      intentions: "none",
      topics: ["Leeds"],
      visualDetectionAnalyses: ["bird"],
      textPostLang: "en",
      textPostType: "reply",
      place: { geoCoordination: "-1.5,53.8", placeFullName: "Leeds" },
      author: { authorId: "a1", authorUsername: "ann" },
      counts: { likeCount: 3n, commentCount: -2n },
      media: [{ url: "https://example.com/a.png" }],
    });
  });

  it("gives each posting a key of its insight, also of a platform whose name has a hyphen", async () => {
    const other = await world.insight();
    for (const each of [insight, other]) {
      await world.save(each, [draft(1), draft(2)], { platform: "youtube-videos" });
      await world.endAnalyses(each);
    }
    const keysOf = async ({ id }: Pick<InsightRecord, "id">) => {
      const { postings } = await list({}, { id });
      return postings.map(({ moreInfoJson = "" }) => (JSON.parse(moreInfoJson) as { key: string }).key);
    };
    const keys = await keysOf(insight);
    expect(keys).toHaveLength(2);
    expect(keys.every((key) => encodeURIComponent(key) === key && key.startsWith("youtube-videos-"))).toBe(true);
    expect(new Set(keys).size).toBe(2);
    expect(await keysOf(other)).toEqual(keys);
  });

  it("does not tell another company that the search exists", async () => {
    await expect(list({}, { companyId: COMPANY + 1 })).rejects.toMatchObject({ kind: "not-found" });
  });
});
