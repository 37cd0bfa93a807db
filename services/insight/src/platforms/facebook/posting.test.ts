import { describe, expect, it } from "vitest";
import type { PostingDraft } from "../posting-draft.js";
import { readComment, readPagePost } from "./api.js";
import { commentToPosting, toPosting } from "./posting.js";

const summary = (count: number) => ({ data: [], summary: { total_count: count } });
const POST = {
  id: "100_200",
  created_time: "2026-11-20T08:09:52+0000",
  updated_time: "2026-11-20T09:00:00+0000",
  message: "The Kestrel is here #kestrel, thanks Example Shop",
  permalink_url: "https://www.facebook.com/100/posts/200/",
  status_type: "added_photos",
  from: { id: "100", name: "Kestrel", username: "kestrel.demo" },
  message_tags: [
    { id: "957", name: "Example Shop", type: "page", offset: 37, length: 12 },
    { id: "958", name: "#kestrel", offset: 20, length: 8 },
  ],
  attachments: {
    data: [
      {
        type: "photo",
        media_type: "photo",
        title: "A picture",
        description: "Of a phone",
        url: "https://l.facebook.com/l.php?u=x",
        unshimmed_url: "https://example.org/a",
        media: { image: { height: 720, width: 720, src: "https://media.example.org/1.jpg" } },
        subattachments: { data: [{ media: { image: { src: "https://media.example.org/2.jpg" } } }] },
      },
    ],
  },
  shares: { count: 10 },
  place: {
    id: "77",
    name: "Leeds Market",
    location: { city: "Leeds", country: "United Kingdom", latitude: 53.7973, longitude: -1.5407 },
  },
  comments: { data: [], summary: { order: "chronological", total_count: 13, can_comment: true } },
  reactions: summary(125),
  like: summary(100),
  love: summary(20),
  haha: summary(2),
  wow: summary(3),
  sad: summary(0),
  angry: summary(1),
  care: summary(4),
};

function postingOf(values: Record<string, unknown> = {}): PostingDraft {
  const post = readPagePost({ ...POST, ...values });
  if (post === undefined) throw new Error("the post cannot be read");
  return toPosting(post, "kestrel.demo");
}

describe("a post of a page", () => {
  it("gives every field that a posting can have", () => {
    expect(postingOf()).toEqual({
      socialId: "100_200",
      url: "https://www.facebook.com/100/posts/200/",
      postedAt: Date.UTC(2026, 10, 20, 8, 9, 52),
      text: POST.message,
      type: "added_photos",
      taggedUsers: ["Example Shop"],
      tags: ["kestrel"],
      place: {
        geo: "-1.5407,53.7973",
        type: "page",
        fullName: "Leeds Market",
        countryName: "United Kingdom",
        id: "77",
      },
      author: { id: "100", name: "Kestrel", username: "kestrel.demo", type: "page" },
      counts: {
        ...{ share_count: 10, comment_count: 13, reaction_total_count: 125, like_count: 100, love_count: 20 },
        ...{ laugh_count: 2, wow_count: 3, sad_count: 0, angry_count: 1, support_count: 4 },
      },
      media: ["https://media.example.org/1.jpg", "https://media.example.org/2.jpg"],
      moreInfo: {
        page: "kestrel.demo",
        title: "A picture",
        updated_time: "2026-11-20T09:00:00.000Z",
        attachments: [
          {
            media_type: "photo",
            type: "photo",
            title: "A picture",
            description: "Of a phone",
            url: "https://example.org/a",
          },
        ],
      },
    });
  });

  it("gives nothing that Facebook does not state, but that nobody has shared it", () => {
    const post = readPagePost({ id: "1_2", created_time: "2026-11-20T08:09:52+0000" });
    expect(post && toPosting(post, "kestrel.demo")).toEqual({
      socialId: "1_2",
      postedAt: Date.UTC(2026, 10, 20, 8, 9, 52),
      counts: { share_count: 0 },
      moreInfo: { page: "kestrel.demo" },
    });
  });

  it("with shares of another form has no count of them", () => {
    expect(postingOf({ shares: "many" }).counts).not.toHaveProperty("share_count");
  });

  it("without a message has the text of what it shares", () => {
    const posting = postingOf({ message: undefined });
    expect(posting).toMatchObject({ text: "A picture\n\nOf a phone" });
    expect(posting.moreInfo).not.toHaveProperty("title");
  });

  it.each([["2026-11-20T10:09:52+0200"], ["2026-11-20T08:09:52Z"], ["2026-11-20T08:09:52+00:00"]])(
    "may state its time as %s",
    (time) => {
      expect(postingOf({ created_time: time }).postedAt).toBe(Date.UTC(2026, 10, 20, 8, 9, 52));
    },
  );

  it("that a source has invented says so", () => {
    expect(postingOf({ demo: true }).moreInfo).toMatchObject({ demo: true });
  });

  it("with an id that is a number is none, because its digits are lost", () => {
    expect(readPagePost({ ...POST, id: 100_200 })).toBeUndefined();
  });
});

describe("a comment", () => {
  const COMMENT = {
    id: "200_300",
    created_time: "2026-11-20T09:00:00+0000",
    message: "Mine broke #fail",
    from: { id: "5", name: "Ada Example" },
    like_count: 2,
    comment_count: 1,
    permalink_url: "https://www.facebook.com/100/posts/200/?comment_id=300",
    message_tags: [{ id: "100", name: "Kestrel", type: "page" }],
    parent: { id: "200_299" },
    attachment: { url: "https://example.org/b", media: { image: { src: "https://media.example.org/3.jpg" } } },
  };
  const commentOf = (values: Record<string, unknown> = {}): PostingDraft => {
    const [post, comment] = [readPagePost(POST), readComment({ ...COMMENT, ...values })];
    if (post === undefined || comment === undefined) throw new Error("it cannot be read");
    return commentToPosting(comment, post, "kestrel.demo");
  };

  it("gives what Facebook states, and the post that it belongs to", () => {
    expect(commentOf()).toEqual({
      socialId: "200_300",
      url: COMMENT.permalink_url,
      postedAt: Date.UTC(2026, 10, 20, 9),
      text: "Mine broke #fail",
      type: "comment",
      taggedUsers: ["Kestrel"],
      tags: ["fail"],
      author: { id: "5", name: "Ada Example" },
      counts: { like_count: 2, comment_count: 1 },
      media: ["https://media.example.org/3.jpg"],
      moreInfo: { page: "kestrel.demo", post_id: "100_200", parent_id: "200_299", link: "https://example.org/b" },
    });
  });

  it("of the page itself has the page as its author", () => {
    expect(commentOf({ from: POST.from }).author).toMatchObject({ id: "100", type: "page" });
  });

  it("of which Facebook hides the author has none", () => {
    expect(commentOf({ from: undefined })).not.toHaveProperty("author");
  });
});
