import type { Json } from "@hourglass/runtime";
import { htmlToText } from "../html.js";
import type { AuthorDraft, PostingDraft } from "../posting-draft.js";
import { defined } from "../schemas.js";
import type { MastodonAccount, MastodonStatus } from "./api.js";

/** A posting as the server `host` knows it; what it does not state is absent. */
export function toPosting(status: MastodonStatus, host: string): PostingDraft {
  const { uri, url, language, mentions = [], tags = [], account } = status;
  const text = textOf(status);
  const users = mentions.flatMap((mentioned) => nameOf(mentioned) ?? []);
  const files = mediaOf(status);
  const author = account && authorOf(account);
  return {
    socialId: uri,
    ...defined({ url, text, language, author }),
    postedAt: status.created_at,
    type: typeOf(status),
    ...(users.length > 0 && { taggedUsers: distinct(users) }),
    ...(tags.length > 0 && { tags: distinct(tags.map(({ name }) => name)) }),
    counts: countsOf(status),
    ...(files.length > 0 && { media: files }),
    moreInfo: moreInfoOf(status, host),
  };
}

/** The warning before a posting is a part of what its author wrote, and so are the choices of a poll. */
function textOf({ spoiler_text: warning = "", content = "", poll }: MastodonStatus): string | undefined {
  const options = (poll?.options ?? []).map(({ title }) => title);
  const parts = [warning, htmlToText(content).text, options.join("\n")].map((part) => part.trim());
  const text = parts.filter((part) => part !== "").join("\n\n");
  return text === "" ? undefined : text;
}

function typeOf({ reblog, in_reply_to_id: parent, poll }: MastodonStatus): string {
  if (reblog !== undefined) return "repost";
  if (parent !== undefined) return "reply";
  return poll === undefined ? "post" : "poll";
}

/** The numbers of accounts differ from server to server, their addresses do not. */
function authorOf(account: MastodonAccount): AuthorDraft {
  const { uri, url, display_name: name, bot, group } = account;
  const type = group === true ? "group" : bot === true ? "bot" : "user";
  return { ...defined({ id: uri ?? url, username: nameOf(account), name: name === "" ? undefined : name }), type };
}

/** `name@host`: a server states its own people without the host. */
function nameOf({ acct, username, url, uri }: MastodonAccount): string | undefined {
  const name = acct ?? username;
  const home = url ?? uri;
  if (name === undefined || name === "" || name.includes("@") || home === undefined)
    return name === "" ? undefined : name;
  return `${name}@${new URL(home).host}`;
}

function countsOf(status: MastodonStatus): NonNullable<PostingDraft["counts"]> {
  return defined({
    comment_count: status.replies_count,
    share_count: status.reblogs_count,
    like_count: status.favourites_count,
    share_with_comment_count: status.quotes_count,
  });
}

function mediaOf({ media_attachments: files = [] }: MastodonStatus): string[] {
  return files.flatMap(({ url, remote_url: original }) => url ?? original ?? []);
}

/** `server` and `status_id` find the posting again. */
function moreInfoOf(status: MastodonStatus, host: string): Record<string, Json> {
  const { id, sensitive, edited_at: editedAt, card, media_attachments: files = [], demo } = status;
  const descriptions = files.flatMap(({ description }) => (description === undefined ? [] : [description]));
  return {
    ...defined({
      server: host,
      status_id: id,
      sensitive,
      edited_at: editedAt,
      link: card?.url,
      link_title: card?.title,
    }),
    ...(descriptions.length > 0 && { media_descriptions: descriptions }),
    ...defined({ demo }),
  };
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
