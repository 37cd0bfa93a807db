import { create } from "@bufbuild/protobuf";
import { Platform, PostingSchema } from "@hourglass/proto/insight/v1/insight";
import { AppError } from "@hourglass/runtime";
import { describe, expect, it } from "vitest";
import { toAddPostingsRequest } from "./posting-import.js";
import { fromPosting } from "./posting.js";

/** The fields of the interface's posting object, in its order. */
const FIELDS =
  "insight_search_id social_id social_url platform sentiments intentions topic_1 topic_2 topic_3 topic_4 topic_5 topic_6 " +
  "topic_7 topic_8 visual_detection_analyses text_of_post terms post_date post_time text_post_lang text_post_type " +
  "text_post_tagged_users text_post_tags geo_coordination place_type place_full_name place_country_code " +
  "place_country_name place_id share_count like_count angry_count laugh_count love_count sad_count support_count " +
  "wow_count appreciation_count empathy_count interest_count maybe_count praise_count digg_count reaction_total_count " +
  "video_play_count video_view_count view_count share_with_comment_count comment_count author_id author_username " +
  "author_type author_name more_info";

describe("a posting", () => {
  it("has every field of the interface, null when the platform did not say", () => {
    const posting = fromPosting(create(PostingSchema, { insightSearchId: 4n, platform: Platform.NEWS, terms: "a,b" }));
    expect(Object.keys(posting as object).join(" ")).toBe(FIELDS);
    const said = Object.entries(posting as object).filter(([, value]) => value !== null);
    expect(said).toEqual([
      ["insight_search_id", "4"],
      ["platform", "news"],
      ["terms", "a,b"],
    ]);
  });

  it("carries counts as strings, and date and time in UTC", () => {
    const posting = create(PostingSchema, {
      platform: Platform.TWITTER,
      topics: ["one", "two"],
      postedAt: { seconds: BigInt(Date.UTC(2026, 0, 5, 3, 4, 9) / 1000), nanos: 999_000_000 },
      counts: { like_count: 12n },
      visualDetectionAnalyses: ["cat"],
      moreInfoJson: '{"a":[1]}',
    });
    expect(fromPosting(posting)).toMatchObject({
      topic_1: "one",
      topic_2: "two",
      topic_3: null,
      post_date: "1/5/2026",
      post_time: "03:04:09",
      like_count: "12",
      visual_detection_analyses: ["cat"],
      more_info: { a: [1] },
    });
  });
});

describe("postings brought in", () => {
  const line = { platform: "reddit", post_date: "12/31/2025", post_time: "23:59:59", like_count: "3", view_count: 4 };

  it("are read line by line, empty lines left out", () => {
    const { postings } = toAddPostingsRequest(1n, `${JSON.stringify(line)}\n\r\n\n${JSON.stringify(line)}`, "");
    expect(postings).toHaveLength(2);
    expect(postings?.[0]).toMatchObject({
      platform: Platform.REDDIT,
      postedAt: { seconds: BigInt(Date.UTC(2025, 11, 31, 23, 59, 59) / 1000) },
      counts: { like_count: 3n, view_count: 4n },
    });
  });

  it("name every wrong field by its line", () => {
    const lines = [
      "{",
      JSON.stringify({ ...line, post_date: "2/30/2026", post_time: "24:00:00", like_count: -1, more_info: [] }),
      JSON.stringify({ platform: "myspace" }),
      "7",
    ];
    const error = catchError(() => toAddPostingsRequest(1n, lines.join("\n"), ""));
    expect(error.violations.map(({ field }) => field).sort()).toEqual([
      "postings[0]",
      "postings[1].like_count",
      "postings[1].more_info",
      "postings[1].post_date",
      "postings[1].post_time",
      "postings[2].platform",
      "postings[2].post_date",
      "postings[2].post_time",
      "postings[3]",
    ]);
  });

  it("are at most 10,000, and wrong ones do not make an endless answer", () => {
    const many = (count: number, text: string) => Array.from({ length: count }, () => text).join("\n");
    expect(catchError(() => toAddPostingsRequest(1n, many(10_001, "{}"), "")).violations).toEqual([
      { field: "postings", message: "Give at most 10,000 items." },
    ]);
    expect(catchError(() => toAddPostingsRequest(1n, many(10_000, "{}"), "")).violations.length).toBeLessThan(1100);
  });

  function catchError(work: () => unknown): AppError {
    try {
      work();
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
    throw new Error("it did not fail");
  }
});
