import { readEach } from "../../schemas.js";
import type { Graph } from "../../meta/graph/graph.js";
import type { SourceAt, SourcePage } from "../../sources.js";
import { type PageRequest, PlatformError } from "../../connector.js";
import { readAccount, readMedia } from "../posting/media.js";
import { accountMediaToPosting } from "../posting/to-posting.js";
import { cutOff } from "./cut-off.js";
import { ACCOUNT_FIELDS, MEDIA_MAX } from "./fields.js";

/** Media of this time are read again with every poll, because counts and captions change. */
const AGAIN_MS = 24 * 60 * 60_000;
/** An account may pin that many old media in front of its newest. */
const PINNED_MAX = 3;

export interface AccountReading {
  readonly graph: Graph;
  /** In whose name Instagram is asked. */
  readonly userId: string;
  readonly name: string;
  readonly at: SourceAt;
  readonly request: PageRequest;
}

/** Reads one page of the media of a professional account, newest first. */
export async function readAccountPage({ graph, userId, name, at, request }: AccountReading): Promise<SourcePage> {
  const media = `media.limit(${MEDIA_MAX})${at.after === null ? "" : `.after(${at.after})`}{${ACCOUNT_FIELDS}}`;
  const fields = `business_discovery.username(${name}){id,username,name,${media}}`;
  const account = readAccount(await graph.ask(`/${userId}`, { fields }, request));
  if (account === undefined) {
    throw new PlatformError("temporary", "Instagram returns no account. It will be retried.");
  }
  const { items, skipped } = readEach(account.media?.data, readMedia);
  const from = Math.max(at.since, (at.readUntil ?? 0) - AGAIN_MS);
  const wanted = items.filter(({ timestamp }) => timestamp >= from);
  const isPast = wanted.length === 0 || items.length - wanted.length > PINNED_MAX;
  const next = isPast ? undefined : account.media?.paging?.after;
  return {
    postings: wanted.map((item) => accountMediaToPosting(item, account, name)),
    skipped,
    requests: 1,
    ...cutOff(next, { wanted, at, from }),
  };
}
