import { create } from "@bufbuild/protobuf";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import { PostingSchema } from "@hourglass/proto/insight/v1/posting";
import type { Violations } from "@hourglass/runtime/json";
import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { POSTING_FIELDS, POSTING_KEYS } from "./columns.js";
import { readPosting, toPostingJson } from "./posting-json.js";

/** The fields of the interface's posting object, in its order. */
const KEYS =
  "insight_search_id social_id social_url platform sentiments intentions topic_1 topic_2 topic_3 topic_4 topic_5 topic_6 " +
  "topic_7 topic_8 visual_detection_analyses text_of_post terms post_date post_time text_post_lang text_post_type " +
  "text_post_tagged_users text_post_tags geo_coordination place_type place_full_name place_country_code " +
  "place_country_name place_id share_count like_count angry_count laugh_count love_count sad_count support_count " +
  "wow_count appreciation_count empathy_count interest_count maybe_count praise_count digg_count reaction_total_count " +
  "video_play_count video_view_count view_count share_with_comment_count comment_count author_id author_username " +
  "author_type author_name more_info";

const GIVEN = { platform: "reddit", post_date: "12/31/2025", post_time: "23:59:59" };

function wrongFieldsOf(value: unknown): string[] {
  const violations: Violations = [];
  readPosting(value, "", violations);
  return violations.map(({ field }) => field);
}

describe("the posting object", () => {
  it("has 54 keys in the order of the interface", () => {
    expect(POSTING_KEYS.join(" ")).toBe(KEYS);
    expect(POSTING_KEYS).toHaveLength(54);
  });

  it("has every key, null if the value is unavailable", () => {
    const posting = create(PostingSchema, { insightSearchId: 4n, platform: Platform.NEWS, terms: "a, b" });
    const json = toPostingJson(posting);
    expect(Object.keys(json)).toEqual(POSTING_KEYS);
    expect(Object.entries(json).filter(([, value]) => value !== null)).toEqual([
      ["insight_search_id", "4"],
      ["platform", "news"],
      ["terms", "a, b"],
    ]);
  });

  it("carries counts as strings, below zero as well, and date and time in UTC", () => {
    const posting = create(PostingSchema, {
      platform: Platform.TWITTER,
      topics: ["one", "two"],
      postedAt: { seconds: BigInt(Date.UTC(2026, 0, 5, 3, 4, 9) / 1000), nanos: 999_000_000 },
      counts: { likeCount: -12n, commentCount: 0n },
      place: { placeId: "p" },
      author: { authorName: "Ada" },
      visualDetectionAnalyses: ["cat"],
      moreInfoJson: '{"a":[1]}',
    });
    expect(toPostingJson(posting)).toMatchObject({
      topic_1: "one",
      topic_2: "two",
      topic_3: null,
      post_date: "1/5/2026",
      post_time: "03:04:09",
      like_count: "-12",
      comment_count: "0",
      view_count: null,
      place_id: "p",
      author_name: "Ada",
      visual_detection_analyses: ["cat"],
      more_info: { a: [1] },
    });
  });
});

describe("a posting that is imported", () => {
  it("is read with counts as strings or numbers", () => {
    const posting = readPosting({ ...GIVEN, like_count: "-3", view_count: 4, share_count: -5 }, "", []);
    expect(posting).toMatchObject({
      platform: Platform.REDDIT,
      postedAt: { seconds: BigInt(Date.UTC(2025, 11, 31, 23, 59, 59) / 1000) },
      counts: { likeCount: -3n, viewCount: 4n, shareCount: -5n },
    });
  });

  it("keeps nothing of what the search and the analysis fill", () => {
    const filled = POSTING_FIELDS.filter(({ imported }) => !imported).map(({ key }) => [key, "9"]);
    const posting = readPosting({ ...GIVEN, ...Object.fromEntries(filled) }, "", []);
    expect(posting).toEqual(readPosting(GIVEN, "", []));
  });

  it("names what a field that there is not may have been meant for", () => {
    const violations: Violations = [];
    readPosting({ ...GIVEN, text_of_pots: "x", mood: "good" }, "", violations);
    expect(violations.map(({ message }) => message)).toEqual([
      "There is no such field. Did you mean text_of_post?",
      "There is no such field. Put what has no field of its own into more_info.",
    ]);
  });

  it("may state its time as one, also beside the same in two fields", () => {
    const at = "2025-12-31T23:59:59Z";
    const { post_date: _date, post_time: _time, ...rest } = GIVEN;
    const expected = readPosting(GIVEN, "", []);
    for (const given of [
      { ...rest, posted_at: at },
      { ...GIVEN, posted_at: at },
    ]) {
      expect(readPosting(given, "", [])).toEqual(expected);
    }
  });

  it("reads lists that are one text, missing counts, and codes as their standards have them", () => {
    const given = {
      text_post_tags: "#a #b",
      text_post_tagged_users: ["@ada"],
      like_count: "NaN",
      text_post_lang: "pt_BR",
    };
    expect(readPosting({ ...GIVEN, ...given }, "", [])).toMatchObject({
      textPostTags: ["a", "b"],
      textPostTaggedUsers: ["ada"],
      textPostLang: "pt",
    });
  });

  it("takes null and empty strings for absent", () => {
    const empty = { social_id: "", text_of_post: null, text_post_tags: [], author_id: "" };
    const emptyToo = { like_count: "", text_post_tagged_users: "", more_info: "", media_urls: "" };
    const violations: Violations = [];
    expect(readPosting({ ...GIVEN, ...empty, ...emptyToo }, "", violations)).toEqual(readPosting(GIVEN, "", []));
    expect(violations).toEqual([]);
  });

  it.each([
    ["post_date", { post_date: "2/30/2026" }],
    ["post_date", { post_date: "2026-01-31" }],
    ["post_time", { post_time: "24:00:00" }],
    ["post_time", { post_time: "7:00:00" }],
    ["platform", { platform: "myspace" }],
    ["like_count", { like_count: "3.5" }],
    ["like_count", { like_count: 2 ** 53 }],
    ["like_count", { like_count: "9223372036854775808" }],
    ["like_count", { like_count: true }],
    ["more_info", { more_info: [] }],
    ["more_info", { more_info: { a: "x".repeat(100_000) } }],
    ["text_of_post", { text_of_post: "\ud800" }],
    ["text_of_post", { text_of_post: "x".repeat(1_000_001) }],
    ["social_id", { social_id: "x".repeat(501) }],
    ["place_id", { place_id: "x".repeat(501) }],
    ["author_name", { author_name: 7 }],
    ["text_post_tags[1]", { text_post_tags: ["ok", 1] }],
    ["text_post_tags[1]", { text_post_tags: ["ok", "x".repeat(501)] }],
    ["text_post_tagged_users", { text_post_tagged_users: 7 }],
    ["posted_at", { posted_at: "12/30/2025 23:59:59" }],
    ["text_of_pots", { text_of_pots: "x" }],
    ["like_counts", { like_counts: 5 }],
    ["media_urls[1]", { media_urls: ["https://a.example/b.png", ""] }],
    ["media_urls", { media_urls: Array.from({ length: 21 }, () => "https://a.example/b.png") }],
  ])("is refused by the name of the wrong key: %s", (field, change) => {
    expect(wrongFieldsOf({ ...GIVEN, ...change })).toEqual([field]);
  });

  it("is refused with every wrong key at once", () => {
    expect(wrongFieldsOf({ platform: 1, like_count: "x", social_url: "x".repeat(3000) }).sort()).toEqual(
      ["like_count", "platform", "post_date", "post_time", "social_url"].sort(),
    );
    expect(wrongFieldsOf([])).toEqual([""]);
  });

  it("survives being written and read again", () => {
    const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 });
    const keyed = POSTING_FIELDS.filter(({ imported }) => imported).map(({ key, value }) => {
      const values = {
        text,
        texts: fc.array(text, { minLength: 1, maxLength: 3 }),
        platform: fc.constantFrom("news", "twitter"),
        date: fc.constantFrom("1/1/2026", "2/29/2024"),
        time: fc.constantFrom("00:00:00", "23:59:59"),
        count: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map(String),
        object: fc.dictionary(fc.constantFrom("a", "b"), fc.jsonValue()),
      };
      return [key, values[value]] as const;
    });
    const values: Record<string, fc.Arbitrary<unknown>> = {
      ...Object.fromEntries<fc.Arbitrary<unknown>>(keyed),
      text_post_lang: fc.constantFrom("pt", "fil"),
      text_post_tags: fc.array(
        text.map((tag) => `a${tag}`),
        { minLength: 1, maxLength: 3 },
      ),
      text_post_tagged_users: fc.array(
        text.map((name) => `a${name}`),
        { minLength: 1, maxLength: 3 },
      ),
      place_country_code: fc.constantFrom("GB"),
    };
    const given = fc.record(values, { requiredKeys: ["platform", "post_date", "post_time"] });
    fc.assert(
      fc.property(given, (object) => {
        const violations: Violations = [];
        const posting = readPosting(object, "", violations);
        expect(violations).toEqual([]);
        const written = posting === null ? {} : toPostingJson(posting);
        const kept = Object.entries(written).filter(([key]) => key in object);
        expect(JSON.parse(JSON.stringify(Object.fromEntries(kept)))).toEqual(JSON.parse(JSON.stringify(object)));
      }),
      { numRuns: repeats(100) },
    );
  });
});
