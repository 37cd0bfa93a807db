import { describe, expect, it } from "vitest";
import type { PostingDraft } from "../posting-draft.js";
import { readVideo } from "./api.js";
import { toPosting } from "./posting.js";

const VIDEO = {
  id: "7398765432101234567",
  video_description: "unboxing with @ada.example. #kestrel",
  create_time: 1_795_162_530,
  region_code: "GB",
  share_count: 3,
  view_count: 1050,
  like_count: 87,
  comment_count: 2,
  favorites_count: 1,
  music_id: "7038475063498387901",
  hashtag_names: ["kestrel"],
  username: "bela.example",
  effect_ids: ["0"],
  playlist_id: 7012,
  voice_to_text: "Hello, this is the new phone",
  video_duration: 21,
  video_mention_list: ["ada.example"],
  is_stem_verified: false,
  video_label: { content: "" },
};

function postingOf(values: Record<string, unknown> = {}, isSpoken = false): PostingDraft {
  const video = readVideo({ ...VIDEO, ...values });
  if (video === undefined) throw new Error("the video cannot be read");
  return toPosting(video, { isSpoken });
}

describe("a video of TikTok", () => {
  it("gives every field that a posting can have", () => {
    expect(postingOf()).toEqual({
      socialId: "7398765432101234567",
      url: "https://www.tiktok.com/@bela.example/video/7398765432101234567",
      postedAt: 1_795_162_530_000,
      text: "unboxing with @ada.example. #kestrel",
      type: "video",
      tags: ["kestrel"],
      taggedUsers: ["ada.example"],
      place: { countryCode: "GB" },
      author: { username: "bela.example" },
      counts: {
        digg_count: 87,
        like_count: 87,
        share_count: 3,
        comment_count: 2,
        view_count: 1050,
        video_play_count: 1050,
      },
      moreInfo: {
        duration: 21,
        music_id: "7038475063498387901",
        effects: ["0"],
        playlist_id: "7012",
        favorites_count: 1,
        is_stem_verified: false,
        video_label: { content: "" },
        place_country_code: expect.stringContaining("registered") as string,
      },
    });
  });

  it("gives nothing that TikTok does not state", () => {
    const video = readVideo({ id: 1, create_time: 1_795_162_530 });
    expect(video && toPosting(video, { isSpoken: true })).toEqual({
      socialId: "1",
      postedAt: 1_795_162_530_000,
      type: "video",
      counts: {},
      moreInfo: {},
    });
  });

  it("has what is spoken where that is wanted", () => {
    expect(postingOf({}, true).text).toBe(`${VIDEO.video_description}\n\n${VIDEO.voice_to_text}`);
    expect(postingOf({ video_description: "" }, true).text).toBe(VIDEO.voice_to_text);
  });

  it("has the names within its text if there is no list of them", () => {
    expect(postingOf({ video_mention_list: undefined }).taggedUsers).toEqual(["ada.example"]);
    const infos = [{ hashtag_id: 1, hashtag_name: "kestrel" }];
    expect(postingOf({ hashtag_names: undefined, hashtag_info_list: infos }).tags).toEqual(["kestrel"]);
  });

  it("is read under the names that other answers use", () => {
    const { id, favorites_count: favorites, ...others } = VIDEO;
    const video = readVideo({ ...others, video_id: id, favourites_count: favorites });
    expect(video && toPosting(video, { isSpoken: false })).toEqual(postingOf());
  });

  it("keeps the entries of a list that are as documented", () => {
    expect(postingOf({ hashtag_names: ["kestrel", null, 7], effect_ids: [[], "1"] })).toMatchObject({
      tags: ["kestrel"],
      moreInfo: { effects: ["1"] },
    });
  });

  it("that a source has invented says so", () => {
    expect(postingOf({ demo: true }).moreInfo).toMatchObject({ demo: true });
  });

  it("with an id whose digits are lost is none", () => {
    expect(readVideo({ ...VIDEO, id: 7.398765432101235e18 })).toBeUndefined();
  });
});
