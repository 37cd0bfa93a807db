import { describe, expect, it } from "vitest";
import { readStatus } from "./api.js";
import { toPosting } from "./posting.js";

const STATUS = {
  id: "115000000000000001",
  uri: "https://birds.example/users/ada/statuses/115000000000000001",
  url: "https://birds.example/@ada/115000000000000001",
  created_at: "2026-11-22T11:58:01.250Z",
  edited_at: "2026-11-22T11:59:00.000Z",
  in_reply_to_id: null,
  reblog: null,
  sensitive: false,
  spoiler_text: "",
  visibility: "public",
  language: "pt",
  content:
    '<p>Um <a href="https://birds.example/tags/kestrel" class="mention hashtag">#<span>kestrel</span></a> &amp; ' +
    '<span class="h-card"><a href="https://other.example/@bela" class="u-url mention">@<span>bela</span></a></span></p>' +
    '<p><a href="https://news.example/a/long/way"><span class="invisible">https://</span>' +
    '<span class="ellipsis">news.example/a</span><span class="invisible">/long/way</span></a></p>',
  account: {
    id: "1",
    username: "ada",
    acct: "ada",
    display_name: "Ada",
    uri: "https://birds.example/users/ada",
    url: "https://birds.example/@ada",
    bot: false,
  },
  mentions: [{ id: "2", username: "bela", acct: "bela@other.example", url: "https://other.example/@bela" }],
  tags: [{ name: "kestrel", url: "https://birds.example/tags/kestrel" }],
  media_attachments: [
    { type: "image", url: "https://files.example/a.png", remote_url: null, description: "A bird" },
    { type: "image", url: null, remote_url: "https://files.example/b.png", description: null },
  ],
  replies_count: 1,
  reblogs_count: 2,
  favourites_count: 3,
};

function postingOf(changes: Record<string, unknown> = {}) {
  const status = readStatus({ ...STATUS, ...changes });
  if (status === undefined) throw new Error("no status");
  return toPosting(status, "birds.example");
}

describe("a status", () => {
  it("is a posting with all that the server states", () => {
    expect(postingOf()).toEqual({
      socialId: STATUS.uri,
      url: STATUS.url,
      postedAt: Date.parse(STATUS.created_at),
      text: "Um #kestrel & @bela\n\nhttps://news.example/a/long/way",
      language: "pt",
      type: "post",
      taggedUsers: ["bela@other.example"],
      tags: ["kestrel"],
      author: { id: "https://birds.example/users/ada", username: "ada@birds.example", name: "Ada", type: "user" },
      counts: { comment_count: 1, share_count: 2, like_count: 3 },
      media: ["https://files.example/a.png", "https://files.example/b.png"],
      moreInfo: {
        server: "birds.example",
        status_id: STATUS.id,
        sensitive: false,
        edited_at: STATUS.edited_at,
        media_descriptions: ["A bird"],
      },
    });
  });

  it.each([
    [{ in_reply_to_id: "7" }, "reply"],
    [{ reblog: { id: "8" } }, "repost"],
    [{ poll: { options: [{ title: "Yes" }] } }, "poll"],
  ])("with %j has the type %s", (changes, type) => {
    expect(postingOf(changes).type).toBe(type);
  });

  it("has its warning and the choices of its poll in its text", () => {
    const poll = { options: [{ title: "Yes" }, { title: "No" }] };
    expect(postingOf({ spoiler_text: "Birds", content: "<p>Seen?</p>", poll }).text).toBe("Birds\n\nSeen?\n\nYes\nNo");
  });

  it("of a picture alone has no text", () => {
    expect(postingOf({ content: "" }).text).toBeUndefined();
  });

  it.each(["private", "direct"])("that is %s is none", (visibility) => {
    expect(readStatus({ ...STATUS, visibility })).toBeUndefined();
  });
});
