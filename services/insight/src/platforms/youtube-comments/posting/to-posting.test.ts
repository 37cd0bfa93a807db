import { describe, expect, it } from "vitest";
import type { PostingDraft } from "../../posting-draft.js";
import { readVideo } from "../../youtube/asking/list-videos.js";
import { readComment } from "../asking/list-comments.js";
import { type Commented, toPosting } from "./to-posting.js";

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
  return toPosting(comment, { video, replyCount: 1, kept: "title", ...values });
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
    expect(comment && video && toPosting(comment, { video, replyCount: undefined, kept: "all" })).toEqual({
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
    expect(postingOf({ authorChannelId: { value: VIDEO.snippet.channelId } }).author).toMatchObject({ type: "owner" });
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
