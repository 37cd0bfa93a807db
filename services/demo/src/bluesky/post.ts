import { randomOf } from "../invented/random.js";
import { inventText } from "../invented/text.js";

/** A posting as the fake keeps it. */
export interface DemoBlueskyPost {
  readonly did: string;
  /** Its name among the author's postings; grows with their number. */
  readonly rkey: string;
  /** When the network learns of it, in milliseconds since the epoch. */
  readonly at: number;
  readonly text: string;
  /** Fields that replace or add to those of the record. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** An author who does not exist. */
export const DEMO_DID = "did:plc:invented";
const POSTS = "app.bsky.feed.post";

/** An invented posting of this number and time; `values` replaces parts of it. */
export function inventPost(number: number, at: number, values: Partial<DemoBlueskyPost> = {}): DemoBlueskyPost {
  const rkey = `3demo${String(number).padStart(8, "0")}`;
  return { did: DEMO_DID, rkey, at, text: inventText(randomOf(number)), extra: {}, ...values };
}

/** The address of a posting, which is its id. */
export function addressOf({ did, rkey }: Pick<DemoBlueskyPost, "did" | "rkey">): string {
  return `at://${did}/${POSTS}/${rkey}`;
}

/** The event by which the network learns of a posting, or of its change. */
export function postEvent(post: DemoBlueskyPost, operation: "create" | "update" = "create"): Record<string, unknown> {
  const { did, rkey, at, text, extra } = post;
  const createdAt = new Date(at).toISOString();
  const record = { $type: POSTS, createdAt, langs: ["en"], text, demo: true, ...extra };
  return {
    did,
    time_us: at * 1000,
    kind: "commit",
    commit: { rev: rkey, operation, collection: POSTS, rkey, record, cid: rkey },
  };
}

/** The event by which the network learns that a posting is gone. */
export function deleteEvent(address: string, at: number): Record<string, unknown> {
  const [did = "", collection = "", rkey = ""] = address.slice("at://".length).split("/");
  return { did, time_us: at * 1000, kind: "commit", commit: { rev: rkey, operation: "delete", collection, rkey } };
}

/** The event by which the network learns that an account is gone. */
export function accountEvent(did: string, at: number, status: string): Record<string, unknown> {
  const time = new Date(at).toISOString();
  return { did, time_us: at * 1000, kind: "account", account: { active: false, status, did, seq: at, time } };
}

/** An event that concerns nobody's postings: the network is never silent. */
export function identityEvent(at: number): Record<string, unknown> {
  const time = new Date(at).toISOString();
  return {
    did: DEMO_DID,
    time_us: at * 1000,
    kind: "identity",
    identity: { did: DEMO_DID, handle: "invented.example", seq: at, time },
  };
}
