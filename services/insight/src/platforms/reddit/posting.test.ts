import { describe, expect, it } from "vitest";
import type { PostingDraft } from "../posting-draft.js";
import { readThing } from "./api.js";
import { isGone, toPosting } from "./posting.js";

const SUBMISSION = {
  id: "1abcde",
  name: "t3_1abcde",
  subreddit: "phones",
  subreddit_id: "t5_2qh33",
  title: "Kestrel after a week",
  selftext: "Battery is fine, says u/bela_example. #kestrel",
  author: "ada_example",
  author_fullname: "t2_9zz9z",
  distinguished: null,
  created_utc: 1795162530.0,
  edited: false,
  permalink: "/r/phones/comments/1abcde/kestrel_after_a_week/?utm=1",
  url: "https://www.reddit.com/r/phones/comments/1abcde/kestrel_after_a_week/",
  domain: "self.phones",
  is_self: true,
  is_video: false,
  post_hint: "self",
  over_18: false,
  score: 41,
  ups: 43,
  upvote_ratio: 0.93,
  num_comments: 7,
  num_crossposts: 1,
  link_flair_text: "Review",
  removed_by_category: null,
};
const COMMENT = {
  name: "t1_c0ffee1",
  body: "It does not last a day, /u/ada_example",
  author: "bela_example",
  author_fullname: "t2_8yy8y",
  distinguished: "moderator",
  created_utc: 1795162590,
  link_id: "t3_1abcde",
  parent_id: "t1_c0ffee0",
  link_title: "Kestrel after a week",
  permalink: "/r/phones/comments/1abcde/kestrel_after_a_week/c0ffee1/",
  score: -3,
  ups: -3,
  num_comments: 7,
  subreddit: "phones",
  edited: 1795162600,
  replies: "",
};

const thingOf = (kind: string, data: object) => {
  const thing = readThing({ kind, data });
  if (thing === undefined) throw new Error("the thing cannot be read");
  return thing;
};
const submission = (values: object = {}): PostingDraft => toPosting(thingOf("t3", { ...SUBMISSION, ...values }));
const comment = (values: object = {}): PostingDraft => toPosting(thingOf("t1", { ...COMMENT, ...values }));

describe("a submission to Reddit", () => {
  it("gives every field that a posting can have", () => {
    expect(submission()).toEqual({
      socialId: "t3_1abcde",
      url: "https://www.reddit.com/r/phones/comments/1abcde/kestrel_after_a_week/",
      postedAt: 1795162530000,
      text: "Kestrel after a week\n\nBattery is fine, says u/bela_example. #kestrel",
      type: "self",
      taggedUsers: ["bela_example"],
      author: { id: "t2_9zz9z", username: "ada_example", type: "user" },
      counts: { like_count: 41, reaction_total_count: 43, comment_count: 7, share_count: 1 },
      moreInfo: {
        subreddit: "phones",
        over_18: false,
        domain: "self.phones",
        url: "https://www.reddit.com/r/phones/comments/1abcde/kestrel_after_a_week/",
        upvote_ratio: 0.93,
        flair: "Review",
      },
    });
  });

  it("gives nothing that Reddit does not state", () => {
    expect(toPosting(thingOf("t3", { name: "t3_1", title: "Seen", created_utc: 1795162530 }))).toEqual({
      socialId: "t3_1",
      postedAt: 1795162530000,
      text: "Seen",
      counts: {},
      moreInfo: {},
    });
  });

  it.each([
    ["self", {}],
    ["link", { is_self: false, post_hint: "link", domain: "example.org", selftext: "" }],
    ["image", { is_self: false, post_hint: "image" }],
    ["image", { is_self: false, post_hint: undefined, domain: "i.redd.it" }],
    ["video", { is_self: false, is_video: true, post_hint: "hosted:video" }],
    ["video", { is_self: false, post_hint: "rich:video" }],
    ["gallery", { is_self: false, is_gallery: true }],
    ["poll", { poll_data: { options: [] } }],
    ["crosspost", { is_self: false, crosspost_parent: "t3_0", post_hint: "image" }],
  ])("is a %s if Reddit states %j", (type, values) => {
    expect(submission(values).type).toBe(type);
  });

  it("of a link has its title as text, and the link beside it", () => {
    const link = submission({ selftext: "", is_self: false, url: "https://example.org/a", domain: "example.org" });
    expect(link).toMatchObject({ text: SUBMISSION.title, moreInfo: { url: "https://example.org/a" } });
    expect(link).not.toHaveProperty("media");
  });

  it("has its pictures and its video", () => {
    const picture = "https://i.redd.it/a.jpg";
    expect(submission({ post_hint: "image", url: picture }).media).toEqual([picture]);
    const gallery = { a: { s: { u: "https://preview.redd.it/a.jpg" } }, b: { s: { gif: "https://i.redd.it/b.gif" } } };
    expect(submission({ is_gallery: true, media_metadata: { ...gallery, c: null } }).media).toEqual([
      "https://preview.redd.it/a.jpg",
      "https://i.redd.it/b.gif",
    ]);
    const video = "https://v.redd.it/a/DASH_480.mp4";
    expect(submission({ is_video: true, media: { reddit_video: { fallback_url: video } } }).media).toEqual([video]);
  });

  it("whose author is gone has none", () => {
    expect(submission({ author: "[deleted]", author_fullname: undefined })).not.toHaveProperty("author");
  });

  it("whose score is not shown yet has none", () => {
    expect(submission({ score: 1, ups: 1, score_hidden: true }).counts).toEqual({ comment_count: 7, share_count: 1 });
  });

  it("names users but not addresses, each once", () => {
    const selftext = "u/ada_1 and U/Ada_1, /u/bela-2; https://www.reddit.com/u/chidi_3 menu/item u/no u/x";
    expect(submission({ selftext }).taggedUsers).toEqual(["ada_1", "bela-2"]);
  });

  it("that a source has invented says so", () => {
    expect(submission({ demo: true }).moreInfo).toMatchObject({ demo: true });
  });

  it("has all that is as documented, whatever else holds another type", () => {
    for (const wrong of [null, 7, "text", true, [], {}, [null], { a: [1] }]) {
      const others = Object.keys(SUBMISSION).filter((key) => !["name", "title", "created_utc"].includes(key));
      const posting = submission(Object.fromEntries(others.map((key) => [key, wrong])));
      expect(posting).toMatchObject({ socialId: "t3_1abcde", postedAt: 1795162530000 });
    }
  });
});

describe("a comment on Reddit", () => {
  it("gives every field that a posting can have", () => {
    expect(comment()).toEqual({
      socialId: "t1_c0ffee1",
      url: "https://www.reddit.com/r/phones/comments/1abcde/kestrel_after_a_week/c0ffee1/",
      postedAt: 1795162590000,
      text: "It does not last a day, /u/ada_example",
      type: "comment",
      taggedUsers: ["ada_example"],
      author: { id: "t2_8yy8y", username: "bela_example", type: "moderator" },
      counts: { like_count: -3, reaction_total_count: -3 },
      moreInfo: { subreddit: "phones", link_id: "t3_1abcde", parent_id: "t1_c0ffee0" },
    });
  });
});

describe("a thing of Reddit", () => {
  it.each([
    ["t3", { ...SUBMISSION, title: undefined }],
    ["t3", { ...SUBMISSION, name: undefined }],
    ["t3", { ...SUBMISSION, created_utc: "1795162530" }],
    ["t3", { ...SUBMISSION, created_utc: 1e300 }],
    ["t3", COMMENT],
    ["t1", { ...COMMENT, body: null }],
    ["more", { ...COMMENT }],
    ["t3", null],
  ])("%s with missing or wrong parts is none: %j", (kind, data) => {
    expect(readThing({ kind, data })).toBeUndefined();
  });

  it.each([
    ["t3", { ...SUBMISSION, selftext: "[removed]" }, true],
    ["t3", { ...SUBMISSION, selftext: "[deleted]", author: "[deleted]" }, true],
    ["t3", { ...SUBMISSION, removed_by_category: "moderator" }, true],
    ["t3", { ...SUBMISSION, author: "[deleted]" }, false],
    ["t1", { ...COMMENT, body: "[deleted]" }, true],
    ["t1", { ...COMMENT, body: "He wrote [deleted]" }, false],
  ] as const)("%s is known to be gone by what Reddit shows instead", (kind, data, expected) => {
    expect(isGone(thingOf(kind, data))).toBe(expected);
  });
});
