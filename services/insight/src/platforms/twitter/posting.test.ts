import { describe, expect, it } from "vitest";
import type { PostingDraft } from "../posting-draft.js";
import { readPost, readSearchPage } from "./api.js";
import { includedIn, toPosting } from "./posting.js";

const POST = {
  id: "1990000000000000001",
  text: "Trying the new Kestrel phone in Leeds @kestrel_eg #kestrel",
  author_id: "2200001",
  created_at: "2026-11-20T08:15:30.000Z",
  lang: "en",
  conversation_id: "1990000000000000001",
  edit_history_tweet_ids: ["1990000000000000001"],
  possibly_sensitive: false,
  public_metrics: {
    retweet_count: 3,
    reply_count: 1,
    like_count: 12,
    quote_count: 2,
    bookmark_count: 0,
    impression_count: 840,
  },
  entities: {
    hashtags: [{ start: 50, end: 58, tag: "kestrel" }],
    mentions: [{ start: 38, end: 49, username: "kestrel_eg", id: "2200002" }],
    urls: [{ url: "https://t.co/a", expanded_url: "https://example.org/a" }],
  },
  geo: { place_id: "01a9a39529b27f36", coordinates: { type: "Point", coordinates: [-1.5491, 53.8008] } },
  referenced_tweets: [{ type: "quoted", id: "1989000000000000009" }],
  attachments: { media_keys: ["3_1990", "7_1991"] },
};
const INCLUDES = {
  users: [{ id: "2200001", username: "ada_example", name: "Ada Example", verified_type: "none" }],
  places: [
    {
      id: "01a9a39529b27f36",
      full_name: "Leeds, England",
      country: "United Kingdom",
      country_code: "GB",
      place_type: "city",
      geo: { type: "Feature", bbox: [-1.67, 53.73, -1.39, 53.89], properties: {} },
    },
  ],
  media: [
    { media_key: "3_1990", type: "photo", url: "https://media.example.org/1990.jpg" },
    { media_key: "7_1991", type: "video", preview_image_url: "https://media.example.org/1991.jpg", duration_ms: 9000 },
  ],
};

function postingOf(values: Record<string, unknown> = {}, includes: Record<string, unknown> = INCLUDES): PostingDraft {
  const page = readSearchPage({ data: [], includes, meta: { result_count: 1 } });
  const post = readPost({ ...POST, ...values });
  if (page === undefined || post === undefined) throw new Error("the post cannot be read");
  return toPosting(post, includedIn(page));
}

describe("a post of X", () => {
  it("gives every field that a posting can have", () => {
    expect(postingOf()).toEqual({
      socialId: "1990000000000000001",
      url: "https://x.com/ada_example/status/1990000000000000001",
      postedAt: Date.UTC(2026, 10, 20, 8, 15, 30),
      text: "Trying the new Kestrel phone in Leeds @kestrel_eg #kestrel",
      language: "en",
      type: "quote",
      taggedUsers: ["kestrel_eg"],
      tags: ["kestrel"],
      place: {
        geo: "-1.5491,53.8008",
        type: "city",
        fullName: "Leeds, England",
        countryCode: "GB",
        countryName: "United Kingdom",
        id: "01a9a39529b27f36",
      },
      author: { id: "2200001", username: "ada_example", name: "Ada Example", type: "none" },
      counts: { share_count: 3, share_with_comment_count: 2, like_count: 12, comment_count: 1, view_count: 840 },
      media: ["https://media.example.org/1990.jpg", "https://media.example.org/1991.jpg"],
      moreInfo: {
        conversation_id: "1990000000000000001",
        possibly_sensitive: false,
        bookmark_count: 0,
        urls: ["https://example.org/a"],
        media: INCLUDES.media,
        references: [{ type: "quoted", id: "1989000000000000009" }],
        place_bbox: [-1.67, 53.73, -1.39, 53.89],
      },
    });
  });

  it("gives nothing that X does not state", () => {
    const page = { id: "1", text: "Seen", created_at: "2026-11-20T08:15:30Z" };
    const post = readPost(page);
    expect(post && toPosting(post, { users: new Map(), places: new Map(), media: new Map() })).toEqual({
      socialId: "1",
      url: "https://x.com/i/web/status/1",
      postedAt: Date.UTC(2026, 10, 20, 8, 15, 30),
      text: "Seen",
      type: "post",
      counts: {},
      moreInfo: {},
    });
  });

  it("has the same posting under the names that X begins to use", () => {
    const renamed = Object.fromEntries(
      Object.entries(POST).map(([key, value]) => [key.replace("tweet", "post"), value]),
    );
    const { retweet_count: repost_count, ...metrics } = POST.public_metrics;
    const post = readPost({ ...renamed, public_metrics: { ...metrics, repost_count } });
    const page = readSearchPage({ includes: INCLUDES, meta: {} });
    expect(post && page && toPosting(post, includedIn(page))).toEqual(postingOf());
  });

  it("has the whole text of a long one, with its tags", () => {
    const note = { text: "A long text about a #tablet", entities: { hashtags: [{ tag: "tablet" }] } };
    expect(postingOf({ note_tweet: note })).toMatchObject({ text: note.text, tags: ["tablet"] });
  });

  it("has the characters that X escapes", () => {
    expect(postingOf({ text: "a &lt;b&gt; &amp;lt; &quot;" }).text).toBe("a <b> &lt; &quot;");
  });

  it.each(["und", "zxx", "qme", "qht", "art"])("without words, which X calls %s, has no language", (lang) => {
    expect(postingOf({ lang })).not.toHaveProperty("language");
  });

  it.each([
    [["retweeted"], "repost"],
    [["reposted"], "repost"],
    [["replied_to"], "reply"],
    [["quoted", "replied_to"], "reply"],
    [["of another kind"], "post"],
  ])("that refers to others as %j is a %s", (types, type) => {
    expect(postingOf({ referenced_tweets: types.map((each) => ({ type: each, id: "1" })) }).type).toBe(type);
  });

  it("says which versions it had", () => {
    expect(postingOf({ edit_history_tweet_ids: ["1", "2"] }).moreInfo).toMatchObject({ edit_history: ["1", "2"] });
  });

  it("that a source has invented says so", () => {
    expect(postingOf({ demo: true }).moreInfo).toMatchObject({ demo: true });
  });

  it("keeps the entries of a list that are as documented", () => {
    const hashtags = [{ tag: "kestrel" }, null, { tag: 7 }, "tag"];
    expect(postingOf({ entities: { hashtags, mentions: {} } })).toMatchObject({ tags: ["kestrel"] });
  });

  it("with an id that is a number is none, because its digits are lost", () => {
    expect(readPost({ ...POST, id: Number(POST.id) })).toBeUndefined();
  });
});
