import { describe, expect, it } from "vitest";
import type { PostingDraft } from "../posting-draft.js";
import { readComment, readVideo } from "./api.js";
import { type Commented, commentToPosting, videoToPosting } from "./posting.js";

describe("a video", () => {
  const SNIPPET = {
    publishedAt: "2026-11-20T08:00:04Z",
    channelId: "UC0000000000000000000000",
    title: "Kestrel phone review & test",
    description: "A week with the phone #unboxing, thanks to @kestrel-eg",
    channelTitle: "Ada Example",
    tags: ["phone", "kestrel"],
    categoryId: "28",
    liveBroadcastContent: "none",
    defaultLanguage: "en-GB",
    thumbnails: {
      default: { url: "https://i.example.org/a/default.jpg", width: 120, height: 90 },
      high: { url: "https://i.example.org/a/high.jpg", width: 480, height: 360 },
    },
  };
  const VIDEO = {
    id: "AbCdEfGhIjK",
    snippet: SNIPPET,
    contentDetails: { duration: "PT8M3S", definition: "hd" },
    status: { privacyStatus: "public", license: "youtube" },
    statistics: { viewCount: "2041", likeCount: "118", favoriteCount: "0", commentCount: "23" },
    recordingDetails: {
      locationDescription: "Leeds",
      location: { latitude: 53.8008, longitude: -1.5491 },
      recordingDate: "2026-11-18T00:00:00Z",
    },
  };
  const HANDLES = new Map([["UC0000000000000000000000", "ada-example"]]);

  function postingOf(values: Record<string, unknown> = {}, snippet: Record<string, unknown> = {}): PostingDraft {
    const video = readVideo({ ...VIDEO, snippet: { ...SNIPPET, ...snippet }, ...values });
    if (video === undefined) throw new Error("the video cannot be read");
    return videoToPosting(video, HANDLES);
  }

  describe("a video of YouTube", () => {
    it("gives every field that a posting can have", () => {
      expect(postingOf()).toEqual({
        socialId: "AbCdEfGhIjK",
        url: "https://www.youtube.com/watch?v=AbCdEfGhIjK",
        postedAt: Date.UTC(2026, 10, 20, 8, 0, 4),
        text: "Kestrel phone review & test\n\nA week with the phone #unboxing, thanks to @kestrel-eg",
        language: "en",
        type: "video",
        tags: ["phone", "kestrel", "unboxing"],
        taggedUsers: ["kestrel-eg"],
        place: { geo: "-1.5491,53.8008", fullName: "Leeds" },
        author: { id: "UC0000000000000000000000", name: "Ada Example", username: "ada-example", type: "channel" },
        counts: { view_count: 2041, video_view_count: 2041, like_count: 118, comment_count: 23 },
        media: ["https://i.example.org/a/high.jpg"],
        moreInfo: {
          duration: "PT8M3S",
          category: "28",
          thumbnails: { default: "https://i.example.org/a/default.jpg", high: "https://i.example.org/a/high.jpg" },
          licence: "youtube",
          recording_date: "2026-11-18T00:00:00Z",
        },
      });
    });

    it("gives nothing that YouTube does not state", () => {
      const video = readVideo({ id: "AbCdEfGhIjK", snippet: { publishedAt: "2019-03-21T20:37:49.000Z" } });
      expect(video && videoToPosting(video, new Map())).toEqual({
        socialId: "AbCdEfGhIjK",
        url: "https://www.youtube.com/watch?v=AbCdEfGhIjK",
        postedAt: Date.UTC(2019, 2, 21, 20, 37, 49),
        type: "video",
        counts: {},
        moreInfo: {},
      });
    });

    it("whose counts are hidden has none of them", () => {
      expect(postingOf({ statistics: { viewCount: "0", favoriteCount: "0" } }).counts).toEqual({
        view_count: 0,
        video_view_count: 0,
      });
      expect(postingOf({ statistics: { viewCount: "many", likeCount: -1, commentCount: null } }).counts).toEqual({});
    });

    it("keeps all digits of its counts", () => {
      const { counts } = postingOf({ statistics: { viewCount: "9007199254740993", likeCount: "9007199254740991" } });
      expect(counts).toMatchObject({ view_count: "9007199254740993", like_count: 9_007_199_254_740_991 });
    });

    it.each([
      [{ defaultLanguage: undefined, defaultAudioLanguage: "pt-BR" }, "pt"],
      [{ defaultLanguage: "zxx" }, undefined],
      [{ defaultLanguage: "english" }, undefined],
    ])("with the languages %j has %s", (snippet, language) => {
      expect(postingOf({}, snippet).language).toBe(language);
    });

    it.each([
      ["live", "live"],
      ["upcoming", "upcoming"],
      ["of another kind", "video"],
    ])("that is broadcast %s is a %s", (liveBroadcastContent, type) => {
      expect(postingOf({}, { liveBroadcastContent }).type).toBe(type);
    });

    it("of a channel without a handle has no user name", () => {
      expect(postingOf({}, { channelId: "UC1" }).author).toEqual({ id: "UC1", name: "Ada Example", type: "channel" });
    });

    it("at a place that is none has no coordinates", () => {
      const recordingDetails = { location: { latitude: 91, longitude: 0 }, locationDescription: "" };
      expect(postingOf({ recordingDetails })).not.toHaveProperty("place");
    });

    it("keeps the entries of a list that are as documented", () => {
      const thumbnails = { default: { url: 7 }, high: SNIPPET.thumbnails.high };
      const posting = postingOf({}, { tags: ["phone", null, 7], description: "", thumbnails });
      expect(posting).toMatchObject({ tags: ["phone"], media: ["https://i.example.org/a/high.jpg"] });
    });

    it("that a source has invented says so", () => {
      expect(postingOf({ demo: true }).moreInfo).toMatchObject({ demo: true });
    });
  });
});

describe("a comment", () => {
  const VIDEO = {
    id: "AbCdEfGhIjK",
    snippet: {
      publishedAt: "2026-11-20T08:00:04Z",
      channelId: "UC0000000000000000000000",
      title: "Kestrel phone review",
      description: "A week with it",
      tags: ["unboxing"],
    },
    recordingDetails: { locationDescription: "Leeds", location: { latitude: 53.8008, longitude: -1.5491 } },
  };
  const SNIPPET = {
    textDisplay: "Nice <b>phone</b>",
    textOriginal: "Nice phone, @ada-example #kestrel",
    authorDisplayName: "@bob-example",
    authorChannelId: { value: "UC1111111111111111111111" },
    likeCount: 4,
    publishedAt: "2026-11-20T09:10:11Z",
    updatedAt: "2026-11-20T10:00:00Z",
  };
  const ID = "UgxAAAAAAAAAAAAAAAA4AaABAg";

  function postingOf(snippet: Record<string, unknown> = {}, values: Partial<Commented> = {}): PostingDraft {
    const comment = readComment({ id: ID, snippet: { ...SNIPPET, ...snippet } });
    const video = readVideo(VIDEO);
    if (comment === undefined || video === undefined) throw new Error("the comment cannot be read");
    return commentToPosting(comment, { video, replyCount: 1, kept: "title", ...values });
  }

  describe("a comment on YouTube", () => {
    it("gives every field that a posting can have", () => {
      expect(postingOf()).toEqual({
        socialId: ID,
        url: `https://www.youtube.com/watch?v=AbCdEfGhIjK&lc=${ID}`,
        postedAt: Date.UTC(2026, 10, 20, 9, 10, 11),
        text: "Nice phone, @ada-example #kestrel",
        matchText: "Kestrel phone review",
        type: "comment",
        tags: ["kestrel"],
        taggedUsers: ["ada-example"],
        author: { id: "UC1111111111111111111111", username: "bob-example", name: "@bob-example", type: "user" },
        counts: { like_count: 4, comment_count: 1 },
        moreInfo: {
          video_id: "AbCdEfGhIjK",
          video_title: "Kestrel phone review",
          video_geo: "-1.5491,53.8008",
          video_place: "Leeds",
          updated_at: "2026-11-20T10:00:00Z",
        },
      });
    });

    it("gives nothing that YouTube does not state", () => {
      const comment = readComment({ id: ID, snippet: { publishedAt: SNIPPET.publishedAt } });
      const video = readVideo({ id: "AbCdEfGhIjK", snippet: { publishedAt: VIDEO.snippet.publishedAt } });
      expect(comment && video && commentToPosting(comment, { video, replyCount: undefined, kept: "all" })).toEqual({
        socialId: ID,
        url: `https://www.youtube.com/watch?v=AbCdEfGhIjK&lc=${ID}`,
        postedAt: Date.UTC(2026, 10, 20, 9, 10, 11),
        type: "comment",
        counts: {},
        moreInfo: { video_id: "AbCdEfGhIjK" },
      });
    });

    it("that answers another one is a reply, and says to which", () => {
      const reply = postingOf({ parentId: "Ugx" }, { replyCount: undefined });
      expect(reply).toMatchObject({ type: "reply", counts: { like_count: 4 }, moreInfo: { parent_id: "Ugx" } });
      expect(reply.counts).not.toHaveProperty("comment_count");
    });

    it("of the channel of the video is the owner's", () => {
      expect(postingOf({ authorChannelId: { value: VIDEO.snippet.channelId } }).author).toMatchObject({
        type: "owner",
      });
    });

    it("of a deleted account has no author", () => {
      expect(postingOf({ authorChannelId: undefined, authorDisplayName: "" })).not.toHaveProperty("author");
    });

    it("of an author without a handle has a name only", () => {
      expect(postingOf({ authorDisplayName: "Bob Example" }).author).toEqual({
        id: "UC1111111111111111111111",
        name: "Bob Example",
        type: "user",
      });
    });

    it("has the shown text if there is no other", () => {
      expect(postingOf({ textOriginal: undefined, textDisplay: "Nice" }).text).toBe("Nice");
    });

    it.each([
      ["title", "Kestrel phone review"],
      ["all", "Kestrel phone review\n\nA week with it\n\nunboxing"],
      ["matching", undefined],
    ] as const)("matches with the texts of its video that YOUTUBE_COMMENTS_KEEP=%s names", (kept, matchText) => {
      expect(postingOf({}, { kept }).matchText).toBe(matchText);
    });
  });
});
