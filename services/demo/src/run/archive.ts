import type { StreamPosting } from "../stream/posting.js";

/** A posting as an import states it, for those that are older than what platforms give out to a new insight. */
export function archivedRow(
  { platform, at, text, language, tags, author, likes }: StreamPosting,
  number: number,
): object {
  const time = new Date(at);
  return {
    platform,
    social_id: `demo-archive-${number}`,
    post_date: `${time.getUTCMonth() + 1}/${time.getUTCDate()}/${time.getUTCFullYear()}`,
    post_time: time.toISOString().slice(11, 19),
    text_of_post: text,
    text_post_lang: language,
    text_post_type: "post",
    text_post_tags: tags,
    author_id: author.id,
    author_username: author.username,
    author_name: author.name,
    like_count: String(likes),
    more_info: { demo: true, archive: true },
  };
}
