import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type ImportHeaderSchema, ImportPostingsRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import { PostingSchema } from "@hourglass/proto/insight/v1/posting";
import type { AppError } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type InsightRecord, searchId, type SearchRecord } from "../store/records.js";
import { newSearch } from "../collector/searches.js";
import { readCoverage } from "../coverage.js";
import { COMPANY, draft, PostingsWorld } from "./testing/postings-world.js";
import { socialIdIn } from "../platforms/registry.js";
import { type ImportOptions, PostingImports } from "./import.js";
import { toPosting } from "./posting-message.js";

type PostingInit = MessageInitShape<typeof PostingSchema>;

const posting = (number: number, values: PostingInit = {}): PostingInit => ({
  socialId: `s${number}`,
  platform: Platform.TWITTER,
  postedAt: timestampFromMs(1_000 * number),
  textOfPost: `Kestrel ${number}`,
  ...values,
});

describe("importing postings", () => {
  let world: PostingsWorld;
  let insight: InsightRecord;
  beforeEach(async () => {
    world = await PostingsWorld.open();
    insight = await world.insight();
  });
  afterEach(() => world.close());

  interface Options {
    key?: string;
    match?: boolean;
    /** Further fields of the header. */
    more?: MessageInitShape<typeof ImportHeaderSchema>;
    id?: number;
    companyId?: number;
    /** Postings in one message. */
    slice?: number;
    deps?: Partial<ImportOptions>;
  }

  const send = (postings: readonly PostingInit[], options: Options = {}) => {
    const { key = "", match = false, more = {}, id = insight.id, companyId = COMPANY, slice = 500, deps } = options;
    const { store, collections, storePostings, previewPage, now } = world;
    async function* messages() {
      const header = { id: BigInt(id), match, idempotencyKey: key, ...more };
      yield create(ImportPostingsRequestSchema, {
        part: { case: "header", value: header },
        last: postings.length === 0,
      });
      for (let start = 0; start < postings.length; start += slice) {
        const part = { case: "slice", value: { postings: postings.slice(start, start + slice) } } as const;
        yield create(ImportPostingsRequestSchema, { part, last: start + slice >= postings.length });
      }
    }
    const imports = new PostingImports({ store, collections, storePostings, previewPage, socialIdIn, now, ...deps });
    return imports.import(messages(), companyId);
  };

  it("knows a collected posting again by the id in its URL", async () => {
    await world.save(insight, [draft(1, { socialId: "1234567890" })]);
    const url = "https://twitter.com/ada/status/1234567890?s=20";
    expect(await send([posting(1, { socialId: "", socialUrl: url })])).toMatchObject({ accepted: 0, duplicates: 1 });
  });

  it("stores new postings and counts known, repeated and erased ones", async () => {
    await send([posting(1)]);
    await world.collections.tombstones.insert({
      id: await world.tombstones.idOf({ companyId: COMPANY, platform: "twitter", by: "social_id", value: "s3" }),
      companyId: COMPANY,
      erasedAt: 0,
    });
    const answer = await send([posting(1), posting(2), posting(2), posting(3)], { slice: 2 });
    expect(answer).toEqual({ accepted: 1, duplicates: 2, unmatched: 0, erased: 1 });
    expect(await world.stored(insight)).toHaveLength(2);
  });

  it("refuses postings that would overwrite each other, and ids that a spreadsheet has rounded", async () => {
    const rounded = { socialId: "1294030472427830000" };
    const clash = [
      posting(1, rounded),
      posting(1, rounded),
      posting(2, rounded),
      posting(1, { ...rounded, textOfPost: "x" }),
    ];
    await expect(send(clash)).rejects.toMatchObject({
      violations: [{ field: "postings[2].social_id" }, { field: "postings[3].social_id" }],
    });
    const url = { socialId: "", socialUrl: "https://forum.example/thread" };
    await expect(send([posting(1, url), posting(2, url)])).rejects.toMatchObject({
      violations: [{ field: "postings[1].social_url" }],
    });
    const id = "1.23457E+18";
    const ids = posting(3, { socialId: id, author: { authorId: id }, place: { placeId: id } });
    await expect(send([ids])).rejects.toMatchObject({
      violations: [
        { field: "postings[0].social_id" },
        { field: "postings[0].author.author_id" },
        { field: "postings[0].place.place_id" },
      ],
    });
    expect(await world.stored(insight)).toEqual([]);
  });

  it("leaves out what does not match the keywords, if asked to", async () => {
    const answer = await send([posting(1), posting(2, { textOfPost: "A buzzard" })], { match: true });
    expect(answer).toEqual({ accepted: 1, duplicates: 0, unmatched: 1, erased: 0 });
  });

  describe("that state a span to be complete", () => {
    const [day, hour] = [86_400_000, 3_600_000];
    const span = (from: number, to: number) => ({
      completeFrom: timestampFromMs(from),
      completeTo: timestampFromMs(to),
    });
    const search = async (platform: string) => {
      await world.collections.searches.insert(newSearch(insight, platform, { now: world.time, missing: "no token" }));
    };
    const spansOf = async (platform: string, start = 0) => {
      const { searches } = world.collections;
      const coverage = await readCoverage({ searches, now: world.now }, insight, { start, end: 10 * day });
      return coverage
        .find((one) => one.platform === platform)
        ?.spans.map(({ from, to, completeness }) => [from / day, to / day, completeness]);
    };

    it("make it complete on the platforms of their postings, and on no other", async () => {
      await Promise.all(insight.query.platforms.map(search));
      await send([posting(1)], { more: span(day, 3 * day) });
      await send([posting(1)], { more: span(5 * day, 6 * day) });
      await send([posting(2)], { more: span(2 * day, 4 * day), match: true });
      expect(await spansOf("twitter")).toEqual([
        [0, 1, "unknown"],
        [1, 4, "complete"],
        [4, 5, "unknown"],
        [5, 6, "complete"],
        [6, 10, "unknown"],
      ]);
      expect(await spansOf("news")).toEqual([[0, 10, "unknown"]]);
    });

    it("lose none of what is stated side by side", async () => {
      await search("twitter");
      const days = [1, 3, 5, 7];
      await Promise.all(days.map((each) => send([posting(each)], { more: span(each * day, (each + 1) * day) })));
      const complete = (await spansOf("twitter"))?.filter(([, , completeness]) => completeness === "complete");
      expect(complete?.map(([from]) => from)).toEqual(days);
    });

    it("are refused if it has not passed, and store nothing", async () => {
      await search("twitter");
      const more = span(world.time - day, world.time + hour);
      await expect(send([posting(1)], { more })).rejects.toMatchObject({
        violations: [{ field: "header.complete_to" }],
      });
      expect(await world.stored(insight)).toEqual([]);
    });
  });

  it("tells what it would do and stores nothing, if it only validates", async () => {
    await send([posting(1)]);
    await world.collections.tombstones.insert({
      id: await world.tombstones.idOf({ companyId: COMPANY, platform: "twitter", by: "social_id", value: "s3" }),
      companyId: COMPANY,
      erasedAt: 0,
    });
    const many = Array.from({ length: 20 }, (_, number) => posting(number + 10));
    const request = [posting(1), posting(2, { textOfPost: "A buzzard" }), posting(3), posting(4), posting(4), ...many];
    const more = { validateOnly: true };
    const answer = await send(request, { match: true, more, key: "once" });
    expect(answer).toMatchObject({ accepted: 21, duplicates: 2, unmatched: 1, erased: 1 });
    expect(answer.leftOut).toEqual([
      { index: 1, reason: "It does not match the keywords." },
      { index: 2, reason: "It was erased." },
    ]);
    expect(answer.first?.map(({ socialId }) => socialId)).toEqual(
      [1, 4, 10, 11, 12, 13, 14, 15, 16, 17].map((number) => `s${number}`),
    );
    expect(answer.first?.[0]).toMatchObject({ terms: "kestrel", textOfPost: "Kestrel 1" });
    expect(await world.stored(insight)).toHaveLength(1);
    expect(await send(request, { match: true, key: "once" })).toEqual({
      ...{ accepted: 21, duplicates: 2, unmatched: 1, erased: 1 },
    });
    await expect(send([posting(1, { platform: Platform.TIKTOK })], { more })).rejects.toMatchObject({
      kind: "invalid",
    });
  });

  it("names every posting that is wrong by its place in the whole request, and stores none", async () => {
    const wrong = posting(3, { platform: Platform.TIKTOK, moreInfoJson: "[1]" });
    await expect(send([posting(1), posting(2), wrong], { slice: 1 })).rejects.toMatchObject({
      kind: "invalid",
      violations: [{ field: "postings[2].platform" }, { field: "postings[2].more_info_json" }],
    });
    expect(await world.stored(insight)).toEqual([]);
  });

  it("takes 10,000 postings and no more", async () => {
    const many = Array.from({ length: 10_001 }, (_, number) => posting(number));
    await expect(send(many)).rejects.toMatchObject({ violations: [{ field: "postings" }] });
    expect(await world.stored(insight)).toEqual([]);
    expect(await send(many.slice(1))).toMatchObject({ accepted: 10_000 });
  });

  it("refuses a stream that begins without its header or ends without its last message", async () => {
    const { store, collections, storePostings, previewPage, now } = world;
    const imports = new PostingImports({ store, collections, storePostings, previewPage, socialIdIn, now });
    const header = create(ImportPostingsRequestSchema, { part: { case: "header", value: { id: BigInt(insight.id) } } });
    const slice = create(ImportPostingsRequestSchema, { part: { case: "slice", value: { postings: [posting(1)] } } });
    const stream = async function* (...messages: (typeof header)[]) {
      yield* messages;
    };
    await expect(imports.import(stream(slice), COMPANY)).rejects.toMatchObject({ violations: [{ field: "header" }] });
    await expect(imports.import(stream(header, slice), COMPANY)).rejects.toMatchObject({ kind: "cancelled" });
    expect(await world.stored(insight)).toEqual([]);
  });

  it("takes notes over as whole characters, and without those that only the product writes", async () => {
    const notes = {
      errors: { topic: "Failed." },
      spam: 1,
      thread: "t",
      "\ud800": ["\udc00", { deep: "a\ud83d" }, "😀"],
    };
    await send([posting(1, { moreInfoJson: JSON.stringify(notes) }), posting(2, { moreInfoJson: '{"errors":{}}' })]);
    const [first, second] = await world.collections.postings.find({}, { sort: [["postedAt", 1]] });
    expect(first?.content.moreInfo).toEqual({ thread: "t", "\ufffd": ["\ufffd", { deep: "a\ufffd" }, "😀"] });
    expect(second?.content.moreInfo).toBeUndefined();
  });

  it("keeps all digits of whole numbers in notes, and refuses notes that no store can hold", async () => {
    await send([posting(1, { moreInfoJson: '{"id":1294030472427831303,"list":[9007199254740991]}' })]);
    const [stored] = await world.collections.postings.find({});
    expect(stored?.content.moreInfo).toEqual({ id: "1294030472427831303", list: [9_007_199_254_740_991] });
    const deep = `{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
    await expect(send([posting(2, { moreInfoJson: deep })])).rejects.toMatchObject({
      violations: [{ field: "postings[0].more_info_json" }],
    });
  });

  it("keeps all digits of counts that a number cannot hold", async () => {
    const counts = { likeCount: -9_223_372_036_854_775_808n, viewCount: 9_007_199_254_740_993n, shareCount: 7n };
    await send([posting(1, { counts })]);
    const [stored] = await world.collections.postings.find({});
    if (stored === undefined) throw new Error("nothing is stored");
    expect(create(PostingSchema, toPosting(stored, insight)).counts).toMatchObject(counts);
  });

  it("refuses postings for a search that is paused, ended, deleted, unknown or another company's", async () => {
    const { insights } = world.collections;
    const refusal = (values: Options = {}) =>
      send([posting(1)], values).then(undefined, (error: unknown) => (error as AppError).kind);
    for (const status of ["paused", "completed", "failed"] as const) {
      await insights.update({ id: insight.id }, { set: { status } });
      expect(await refusal()).toBe("invalid");
    }
    await insights.update({ id: insight.id }, { set: { status: "deleted" } });
    expect(await refusal()).toBe("not-found");
    expect(await refusal({ id: 999 })).toBe("not-found");
    expect(await refusal({ companyId: COMPANY + 1 })).toBe("not-found");
  });

  it("answers a repeated key as the first time, even after a pause, and refuses it for other postings", async () => {
    const first = await send([posting(1), posting(1)], { key: "k" });
    await world.collections.insights.update({ id: insight.id }, { set: { status: "paused", epoch: 2 } });
    expect(await send([posting(1), posting(1)], { key: "k" })).toEqual({ ...first, replayed: true });
    await expect(send([posting(2)], { key: "k" })).rejects.toMatchObject({ code: "idempotency_key_reused" });
  });

  it("gives concurrent requests with one key the same answer and stores their postings once", async () => {
    const many = Array.from({ length: 900 }, (_, number) => posting(number));
    const answers = await Promise.all([1, 2, 3].map(() => send(many, { key: "k" })));
    expect(answers).toEqual(Array(3).fill({ accepted: 900, duplicates: 0, unmatched: 0, erased: 0 }));
    expect(await world.stored(insight)).toHaveLength(900);
  });

  it("continues with the key where a crash ended it, and counts everything once", async () => {
    const many = Array.from({ length: 900 }, (_, number) => posting(number));
    let pages = 0;
    const storePostings: ImportOptions["storePostings"] = async (request) => {
      if (++pages === 3) throw new Error("crash");
      return world.storePostings(request);
    };
    await expect(send(many, { key: "k", deps: { storePostings } })).rejects.toThrow("crash");
    expect(await send(many, { key: "k" })).toEqual({ accepted: 900, duplicates: 0, unmatched: 0, erased: 0 });
  });

  it("shows that a platform without a connector has imports, and leaves others as they are", async () => {
    const { searches } = world.collections;
    for (const [platform, status] of [
      ["twitter", "not_configured"],
      ["news", "waiting"],
    ] as const) {
      await searches.insert({ id: searchId(insight.id, platform), insightId: insight.id, status } as SearchRecord);
    }
    await send([posting(1), posting(2, { platform: Platform.NEWS })]);
    expect(await searches.get(searchId(insight.id, "twitter"))).toMatchObject({ status: "importing" });
    expect(await searches.get(searchId(insight.id, "news"))).toMatchObject({ status: "waiting" });
  });
});
