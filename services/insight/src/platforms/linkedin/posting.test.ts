import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PostingDraft } from "../posting-draft.js";
import { readMetadata, readPost, readStatistics } from "./api.js";
import { type AboutPost, toPosting, unfold } from "./posting.js";

const URN = "urn:li:share:7264000000000000001";
const POST = {
  id: URN,
  author: "urn:li:organization:5515715",
  commentary: "Meet {hashtag|\\#|kestrel} with @[Example Ltd](urn:li:organization:2414183)",
  visibility: "PUBLIC",
  lifecycleState: "PUBLISHED",
  lifecycleStateInfo: { isEditedByAuthor: false },
  createdAt: 1_795_162_530_123,
  publishedAt: 1_795_162_530_456,
  lastModifiedAt: 1_795_162_530_999,
  content: { article: { source: "https://example.org/kestrel", title: "Kestrel", description: "A phone" } },
};
const SUMMARIES = {
  LIKE: { reactionType: "LIKE", count: 40 },
  PRAISE: { reactionType: "PRAISE", count: 3 },
  APPRECIATION: { reactionType: "APPRECIATION", count: 1 },
  EMPATHY: { reactionType: "EMPATHY", count: 5 },
  INTEREST: { reactionType: "INTEREST", count: 2 },
  ENTERTAINMENT: { reactionType: "ENTERTAINMENT", count: 4 },
};
const COUNTS = {
  like_count: 40,
  praise_count: 3,
  appreciation_count: 1,
  empathy_count: 5,
  interest_count: 2,
  reaction_total_count: 55,
  comment_count: 4,
  share_count: 7,
};
const NAMES = { vanityName: "kestrel-example", localizedName: "Kestrel Example" };
const NOTHING: AboutPost = { metadata: undefined, shareCount: undefined, names: {} };

function aboutPost(reactionSummaries: unknown, commentSummary: unknown): AboutPost {
  const metadata = readMetadata({ results: { [URN]: { entity: URN, reactionSummaries, commentSummary } } }).get(URN);
  const shares = readStatistics({ elements: [{ share: URN, totalShareStatistics: { shareCount: 7 } }] });
  return { metadata, shareCount: shares.get(URN), names: NAMES };
}

function postingOf(values: Record<string, unknown> = {}, about: AboutPost = NOTHING): PostingDraft {
  const post = readPost({ ...POST, ...values });
  if (post === undefined) throw new Error("the post cannot be read");
  return toPosting(post, about);
}

describe("a post of LinkedIn", () => {
  it("gives every field that a posting can have", () => {
    expect(postingOf({}, aboutPost(SUMMARIES, { count: 4, topLevelCount: 3 }))).toEqual({
      socialId: URN,
      url: `https://www.linkedin.com/feed/update/${URN}/`,
      postedAt: 1_795_162_530_456,
      text: "Meet #kestrel with Example Ltd",
      type: "article",
      tags: ["kestrel"],
      taggedUsers: ["Example Ltd"],
      author: {
        id: "urn:li:organization:5515715",
        username: "kestrel-example",
        name: "Kestrel Example",
        type: "organization",
      },
      counts: COUNTS,
      moreInfo: {
        title: "Kestrel",
        article: POST.content.article,
        mentions: [{ name: "Example Ltd", urn: "urn:li:organization:2414183" }],
        visibility: "PUBLIC",
        edited: false,
        last_modified_at: new Date(POST.lastModifiedAt).toISOString(),
        entertainment_count: 4,
      },
    });
  });

  it("gives nothing that LinkedIn does not state", () => {
    const post = readPost({ id: URN, createdAt: 1_795_162_530_123 });
    expect(post && toPosting(post, NOTHING)).toEqual({
      socialId: URN,
      url: `https://www.linkedin.com/feed/update/${URN}/`,
      postedAt: 1_795_162_530_123,
      type: "text",
      counts: {},
      moreInfo: {},
    });
  });

  it("is counted from a list of reactions and other names too", () => {
    expect(postingOf({}, aboutPost(Object.values(SUMMARIES), { commentCount: 4 })).counts).toEqual(COUNTS);
  });

  it("has the reactions that are as documented", () => {
    const about = aboutPost({ ...SUMMARIES, PRAISE: 3, EMPATHY: null }, "many");
    expect(postingOf({}, about).counts).toMatchObject({ like_count: 40, reaction_total_count: 47, share_count: 7 });
  });

  it.each([
    [{ media: { id: "urn:li:video:1", title: "A film" } }, "media", { title: "A film" }],
    [
      { multiImage: { images: [{ id: "urn:li:image:1", altText: "A bird" }, 7] } },
      "multiImage",
      {
        images: [{ id: "urn:li:image:1", altText: "A bird" }],
      },
    ],
    [
      { poll: { question: "Which?", options: [{ text: "This", voteCount: 3 }] } },
      "poll",
      {
        title: "Which?",
        poll: { question: "Which?", options: [{ text: "This", voteCount: 3 }] },
      },
    ],
    [{ reference: { id: "urn:li:share:1" } }, "reference", { reference: "urn:li:share:1" }],
    [{ carousel: {} }, "carousel", {}],
  ])("that shows %j has its type and its words", (content, type, moreInfo) => {
    expect(postingOf({ content })).toMatchObject({ type, moreInfo });
  });

  it("that shares another one without its own words is a repost", () => {
    const reshareContext = { parent: "urn:li:share:2", root: "urn:li:share:1" };
    expect(postingOf({ content: undefined, reshareContext })).toMatchObject({
      type: "repost",
      moreInfo: { reshare: reshareContext },
    });
  });

  it("of a member names no organization", () => {
    const author = postingOf({ author: "urn:li:person:abc" }, { ...NOTHING, names: NAMES }).author;
    expect(author).toEqual({ id: "urn:li:person:abc" });
  });

  it("that a source has invented says so", () => {
    expect(postingOf({ demo: true }).moreInfo).toMatchObject({ demo: true });
  });

  it("with an id that is no URN of a post is none", () => {
    expect(readPost({ ...POST, id: "urn:li:activity:1" })).toBeUndefined();
  });
});

describe("a text of LinkedIn", () => {
  it.each([
    ["{hashtag|\\#|kestrel} is here", "#kestrel is here", ["kestrel"]],
    ["{hashtag|#|kestrel}", "#kestrel", ["kestrel"]],
    ["a #kestrel, C\\# and \\#no", "a #kestrel, C# and #no", ["kestrel"]],
    ["1 \\* 2 \\(a\\_b\\) \\\\ \\~", "1 * 2 (a_b) \\ ~", []],
    ["{hashtag|\\#|snake\\_case}", "#snake_case", ["snake_case"]],
    ["{hashtag|\\#|", "{hashtag|#|", []],
  ])("%s is shown as %s", (littleText, text, tags) => {
    expect(unfold(littleText)).toEqual({ text, tags, mentions: [] });
  });

  it("shows mentions by their names", () => {
    expect(unfold("with @[Example \\(UK\\) Ltd](urn:li:organization:2414183)!")).toEqual({
      text: "with Example (UK) Ltd!",
      tags: [],
      mentions: [{ name: "Example (UK) Ltd", urn: "urn:li:organization:2414183" }],
    });
  });

  it("without signs stays as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", " ", "é", "東", "🔥", ".", ",") }), (text) => {
        expect(unfold(text).text).toBe(text);
      }),
    );
  });

  it("that never closes its braces takes no longer for it", () => {
    expect(unfold("{hashtag|#|".repeat(20_000)).tags).toEqual([]);
  });
});
