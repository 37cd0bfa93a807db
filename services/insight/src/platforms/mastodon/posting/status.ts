import * as z from "zod";
import { demoMark, maybe, maybeCount, maybeList, statedTime } from "../../schemas.js";

const text = z.string();
const url = z.url({ protocol: /^https?$/ });

const accountSchema = z.object({
  acct: maybe(text),
  username: maybe(text),
  display_name: maybe(text),
  url: maybe(url),
  uri: maybe(url),
  bot: maybe(z.boolean()),
  group: maybe(z.boolean()),
});

const statusSchema = z.object({
  /** Known to this server only; may be what it pages by. */
  id: maybe(text.min(1)),
  /** The same on every server. */
  uri: text.min(1).max(2048),
  created_at: statedTime,
  url: maybe(url),
  content: maybe(text),
  spoiler_text: maybe(text),
  language: maybe(text),
  visibility: maybe(text),
  sensitive: maybe(z.boolean()),
  edited_at: maybe(text),
  in_reply_to_id: maybe(text),
  reblog: maybe(z.object({})),
  account: maybe(accountSchema),
  mentions: maybeList(accountSchema),
  tags: maybeList(z.object({ name: text.min(1) })),
  media_attachments: maybeList(
    z.object({ type: maybe(text), url: maybe(url), remote_url: maybe(url), description: maybe(text) }),
  ),
  card: maybe(z.object({ url: maybe(url), title: maybe(text) })),
  poll: maybe(z.object({ options: maybeList(z.object({ title: text })) })),
  replies_count: maybeCount,
  reblogs_count: maybeCount,
  favourites_count: maybeCount,
  quotes_count: maybeCount,
  demo: demoMark,
});

/** A posting as a server states it. */
export type MastodonStatus = z.output<typeof statusSchema>;
/** Somebody as a server states them. */
export type MastodonAccount = z.output<typeof accountSchema>;

/** No public timeline should hold these. */
const HIDDEN: ReadonlySet<string> = new Set(["private", "direct", "limited"]);

/** Undefined for an item without address or time, and for one that is not meant for everybody. */
export function readStatus(item: unknown): MastodonStatus | undefined {
  const status = statusSchema.safeParse(item).data;
  return HIDDEN.has(status?.visibility ?? "") ? undefined : status;
}
