import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mutated, mutations } from "../testing/mutations.js";
import { readEvent } from "./api.js";
import { toPosting } from "./posting.js";

const TIME = Date.UTC(2026, 10, 22, 12);
const IMAGE = { alt: "A bird", image: { $type: "blob", ref: { $link: "bafkreiabc234" }, mimeType: "image/jpeg" } };
const EVENT = {
  did: "did:plc:ada",
  time_us: TIME * 1000,
  kind: "commit",
  commit: {
    rev: "3k",
    operation: "create",
    collection: "app.bsky.feed.post",
    rkey: "3kabc",
    cid: "bafy",
    record: {
      $type: "app.bsky.feed.post",
      createdAt: new Date(TIME - 1000).toISOString(),
      langs: ["pt", "en"],
      text: "Um #Kestrel de @bela.example news.example/a…",
      tags: ["aves"],
      facets: [
        { features: [{ $type: "app.bsky.richtext.facet#tag", tag: "kestrel" }] },
        { features: [{ $type: "app.bsky.richtext.facet#link", uri: "https://news.example/a/long" }] },
      ],
      embed: { $type: "app.bsky.embed.images", images: [IMAGE] },
      reply: { root: { uri: "at://r", cid: "c" }, parent: { uri: "at://p", cid: "c" } },
    },
  },
};
type Changes = Readonly<Record<string, unknown>>;

function postingOf(changes: Changes = {}) {
  const commit = { ...EVENT.commit, record: { ...EVENT.commit.record, ...changes } };
  const event = readEvent(JSON.stringify({ ...EVENT, commit }));
  if (event?.kind !== "post") throw new Error("no post");
  return toPosting(event);
}

describe("a post", () => {
  it("is a posting with all that its record states", () => {
    expect(postingOf()).toEqual({
      socialId: "at://did:plc:ada/app.bsky.feed.post/3kabc",
      url: "https://bsky.app/profile/did:plc:ada/post/3kabc",
      postedAt: TIME - 1000,
      type: "reply",
      text: EVENT.commit.record.text,
      language: "pt",
      taggedUsers: ["bela.example"],
      tags: ["aves", "kestrel"],
      author: { id: "did:plc:ada", type: "user" },
      media: ["https://cdn.bsky.app/img/feed_fullsize/plain/did:plc:ada/bafkreiabc234@jpeg"],
      moreInfo: {
        parent: "at://p",
        root: "at://r",
        languages: ["pt", "en"],
        links: ["https://news.example/a/long"],
        media_descriptions: ["A bird"],
      },
    });
  });

  it.each([
    [{ reply: undefined }, "post"],
    [{ reply: undefined, embed: { record: { record: { uri: "at://q" } } } }, "quote"],
  ])("with %j has the type %s", (changes, type) => {
    expect(postingOf(changes).type).toBe(type);
  });

  it.each(["2126-01-01T00:00:00Z", "soon", undefined, 7])(
    "that says it is of %j has the time of the network",
    (createdAt) => {
      expect(postingOf({ createdAt }).postedAt).toBe(TIME);
    },
  );
});

describe("an event", () => {
  it.each([
    [{ ...EVENT, commit: { ...EVENT.commit, operation: "delete", record: undefined } }, "gone"],
    [{ ...EVENT, commit: { ...EVENT.commit, collection: "app.bsky.feed.like" } }, "other"],
    [{ ...EVENT, kind: "account", account: { active: false, status: "takendown" } }, "author_gone"],
    [{ ...EVENT, kind: "account", account: { active: false, status: "suspended" } }, "other"],
    [{ ...EVENT, kind: "identity" }, "other"],
    [{ ...EVENT, did: 7 }, undefined],
    ["text", undefined],
  ])("%j is %s", (event, kind) => {
    expect(readEvent(JSON.stringify(event))?.kind).toBe(kind);
  });

  it("that is no JSON is none", () => {
    expect(readEvent('{"did":')).toBeUndefined();
  });

  it("whatever it holds, is a posting in JSON or none", () => {
    fc.assert(
      fc.property(mutations, (changes) => {
        const event = readEvent(JSON.stringify(mutated(EVENT, changes)));
        if (event?.kind !== "post") return;
        const posting = toPosting(event);
        expect(posting.postedAt).toSatisfy(Number.isFinite);
        expect(JSON.parse(JSON.stringify(posting))).toEqual(posting);
      }),
      { numRuns: repeats(1000) },
    );
  });
});
