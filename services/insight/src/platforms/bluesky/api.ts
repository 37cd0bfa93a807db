import * as z from "zod";
import { demoMark, maybe, maybeList } from "../schemas.js";

/** The collection of postings. */
export const POSTS = "app.bsky.feed.post";

const text = z.string();
const did = text.regex(/^did:[a-z]+:[A-Za-z0-9._:%-]{1,500}$/);
const link = z.object({ ref: maybe(z.object({ $link: text.regex(/^[a-z2-7]{10,200}$/) })) });
const image = z.object({ alt: maybe(text), image: maybe(link) });
const media = {
  images: maybeList(image),
  video: maybe(link),
  external: maybe(z.object({ uri: maybe(z.url()), title: maybe(text) })),
  record: maybe(z.object({})),
};

const recordSchema = z.object({
  text: maybe(text),
  createdAt: maybe(text),
  langs: maybeList(text.regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9-]{1,30})?$/)),
  tags: maybeList(text.min(1)),
  reply: maybe(
    z.object({ parent: maybe(z.object({ uri: maybe(text) })), root: maybe(z.object({ uri: maybe(text) })) }),
  ),
  facets: maybeList(z.object({ features: maybeList(z.object({ tag: maybe(text.min(1)), uri: maybe(z.url()) })) })),
  embed: maybe(z.object({ ...media, media: maybe(z.object(media)) })),
  demo: demoMark,
});

const common = { did, time_us: z.int().nonnegative() };
const commitSchema = z.object({
  ...common,
  kind: z.literal("commit"),
  commit: z.discriminatedUnion("operation", [
    z.object({ operation: z.literal("delete"), collection: text, rkey: text.min(1).max(512) }),
    z.object({
      operation: z.enum(["create", "update"]),
      collection: text,
      rkey: text.min(1).max(512),
      record: recordSchema,
    }),
  ]),
});
const accountSchema = z.object({
  ...common,
  kind: z.literal("account"),
  account: z.object({ active: maybe(z.boolean()), status: maybe(text) }),
});
const eventSchema = z.discriminatedUnion("kind", [commitSchema, accountSchema]);
const otherSchema = z.object({ time_us: z.int().nonnegative(), kind: text });

/** The record of a posting as its author's server holds it. */
export type BlueskyRecord = z.output<typeof recordSchema>;

/** A posting that was created or changed. */
export interface BlueskyPost {
  readonly kind: "post";
  readonly did: string;
  readonly rkey: string;
  /** When the network learned of it, in microseconds since the epoch. */
  readonly time: number;
  readonly record: BlueskyRecord;
}

/** An event of the stream, as far as searches need it. */
export type StreamEvent =
  | BlueskyPost
  | { readonly kind: "gone"; readonly time: number; readonly post: string }
  | { readonly kind: "author_gone"; readonly time: number; readonly did: string }
  | { readonly kind: "other"; readonly time: number };

/** People who come back from these have their postings again. */
const FOR_GOOD: ReadonlySet<string> = new Set(["deleted", "takendown"]);

/** Undefined for what is no event. */
export function readEvent(frame: string): StreamEvent | undefined {
  const json = parsed(frame);
  const event = eventSchema.safeParse(json).data;
  if (event === undefined) return readOther(json);
  const { did: author, time_us: time } = event;
  if (event.kind === "account") {
    const { active, status = "" } = event.account;
    const isGone = active === false && FOR_GOOD.has(status);
    return isGone ? { kind: "author_gone", time, did: author } : { kind: "other", time };
  }
  const { commit } = event;
  if (commit.collection !== POSTS) return { kind: "other", time };
  const { rkey } = commit;
  if (commit.operation === "delete") return { kind: "gone", time, post: addressOf(author, rkey) };
  return { kind: "post", did: author, rkey, time, record: commit.record };
}

/** The id of a posting in the network. */
export function addressOf(author: string, rkey: string): string {
  return `at://${author}/${POSTS}/${rkey}`;
}

/** Events of another kind tell the time of the stream; a posting that cannot be read tells nothing. */
function readOther(json: unknown): StreamEvent | undefined {
  const other = otherSchema.safeParse(json).data;
  if (other === undefined || other.kind === "commit" || other.kind === "account") return undefined;
  return { kind: "other", time: other.time_us };
}

function parsed(frame: string): unknown {
  try {
    return JSON.parse(frame);
  } catch {
    return undefined;
  }
}
