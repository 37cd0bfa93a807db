import { createHash } from "node:crypto";
import type { DemoVideo } from "./video.js";

/** A video as TikTok states it: ids are numbers of 64 bits. Only the fields that the request names. */
export function videoAnswer(video: DemoVideo, fields: ReadonlySet<string>): Record<string, unknown> {
  const { id, at, text, username, region, likes, speech, extra } = video;
  const all: Record<string, unknown> = {
    id: BigInt(id),
    video_description: text,
    create_time: Math.floor(at / 1000),
    region_code: region,
    share_count: Math.floor(likes / 10),
    view_count: likes * 70,
    like_count: likes,
    comment_count: Math.floor(likes / 5),
    favorites_count: Math.floor(likes / 8),
    music_id: BigInt(id) - 1n,
    hashtag_names: tagsOf(text),
    username,
    effect_ids: ["0"],
    voice_to_text: speech,
    is_stem_verified: false,
    video_duration: 10 + (likes % 50),
    video_mention_list: [...text.matchAll(/@([\w.]*\w)/g)].map((match) => match[1]),
  };
  const asked = Object.entries(all).filter(([name]) => fields.has(name));
  return { ...Object.fromEntries(asked), demo: true, ...extra };
}

/** Names of tags within a description. */
export function tagsOf(text: string): string[] {
  return [...text.matchAll(/#([\p{L}\p{N}_]+)/gu)].flatMap((match) => match[1] ?? []);
}

/** An answer of the Research API; `code` is `ok` for one without an error. */
export function envelope(data: Record<string, unknown>, code = "ok", message = ""): Record<string, unknown> {
  const digest = createHash("sha256").update(message).digest("hex").slice(0, 6);
  return { data, error: { code, message, log_id: `20261122120000${digest.toUpperCase()}` } };
}
