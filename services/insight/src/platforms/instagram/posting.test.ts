import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readEach } from "../schemas.js";
import { mutated, mutations } from "../testing/mutations.js";
import { readMedia, readMediaList } from "./api.js";
import { accountMediaToPosting, hashtagMediaToPosting } from "./posting.js";

const MEDIA = {
  id: "18088158883149835",
  caption: "New Kestrel #kestrel @kestrel.eg, mail@example.org",
  media_type: "VIDEO",
  media_product_type: "FEED",
  media_url: "https://media.example.org/1.mp4",
  permalink: "https://www.instagram.com/p/demo/",
  timestamp: "2026-11-20T07:20:12+0000",
  like_count: 997,
  comments_count: 10,
  view_count: 5000,
  children: { data: [{ id: "1", media_type: "IMAGE", media_url: "https://media.example.org/2.jpg" }] },
};
const ACCOUNT = { id: "17841400000000001", username: "kestrel_eg", name: "Kestrel" };

function mediaOf(values: Record<string, unknown> = {}) {
  const media = readMedia({ ...MEDIA, ...values });
  if (media === undefined) throw new Error("it cannot be read");
  return media;
}

describe("media of Instagram", () => {
  it("of an account give every field that a posting can have", () => {
    expect(accountMediaToPosting(mediaOf(), { ...ACCOUNT, media: undefined }, "kestrel_eg")).toEqual({
      socialId: "18088158883149835",
      url: "https://www.instagram.com/p/demo/",
      postedAt: Date.UTC(2026, 10, 20, 7, 20, 12),
      text: MEDIA.caption,
      type: "video",
      tags: ["kestrel"],
      taggedUsers: ["kestrel.eg"],
      author: { ...ACCOUNT, type: "business" },
      counts: { like_count: 997, comment_count: 10, view_count: 5000, video_view_count: 5000 },
      media: ["https://media.example.org/1.mp4", "https://media.example.org/2.jpg"],
      moreInfo: { account: "kestrel_eg", media_url: MEDIA.media_url, children: MEDIA.children.data },
    });
  });

  it("of a hashtag give nothing that Instagram does not state", () => {
    const media = readMedia({ id: "1", timestamp: "2026-11-20T07:20:12+0000" });
    expect(media && hashtagMediaToPosting(media, "kestrel")).toEqual({
      socialId: "1",
      postedAt: Date.UTC(2026, 10, 20, 7, 20, 12),
      counts: {},
      moreInfo: { hashtag: "kestrel" },
    });
  });

  it.each([
    [{ media_type: "IMAGE" }, "image"],
    [{ media_type: "CAROUSEL_ALBUM" }, "carousel_album"],
    [{ media_product_type: "REELS" }, "reels"],
    [{ media_type: undefined }, undefined],
  ])("with %j are of the type %s", (values, type) => {
    expect(hashtagMediaToPosting(mediaOf(values), "kestrel").type).toBe(type);
  });

  it("of which the owner hides the likes have none", () => {
    expect(hashtagMediaToPosting(mediaOf({ like_count: undefined }), "kestrel").counts).not.toHaveProperty(
      "like_count",
    );
  });

  it("that a source has invented say so", () => {
    expect(hashtagMediaToPosting(mediaOf({ demo: true }), "kestrel").moreInfo).toMatchObject({ demo: true });
  });

  it("whatever they hold, give postings or none", () => {
    const body = { data: [MEDIA, { ...MEDIA, id: "2" }], paging: { cursors: { after: "x" }, next: "y" } };
    fc.assert(
      fc.property(mutations, (changes) => {
        const list = readMediaList(mutated(body, changes));
        for (const media of readEach(list?.data, readMedia).items) {
          const posting = hashtagMediaToPosting(media, "kestrel");
          expect(posting.postedAt).toSatisfy(Number.isFinite);
          expect(JSON.parse(JSON.stringify(posting))).toEqual(posting);
        }
      }),
      { numRuns: repeats(300) },
    );
  });
});
