import { type Page, type PageRequest, PlatformError } from "../../platforms/connector.js";
import type { Poll } from "../../store/records.js";
import { spendAs } from "../gates/budget.js";
import { PageLimit } from "./page-limit.js";
import { PAGE_MS_MAX, PAGE_POSTINGS, PREVIEW_POSTINGS } from "../pace/policy.js";
import { platformSearchOf, type Turn } from "../turn/turn.js";

/** The turn was interrupted because the process stops or the claim was lost. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/**
 * Fetches the next page of a poll. Throws Interrupted, or whatever the connector throws; a connector that does not
 * answer in time has failed.
 */
export async function fetchPage(turn: Turn, poll: Poll): Promise<Page> {
  const { context, connector, search, lease } = turn;
  const limit = new PageLimit([context.abandoned, lease.signal]);
  const begun = performance.now();
  const observe = (outcome: string) => {
    context.metrics.observePage({ platform: search.platform, outcome }, (performance.now() - begun) / 1000);
  };
  try {
    const request = await requestOf(turn, poll, limit.signal);
    const page = await limit.within(() =>
      spendAs(search.preview ? "preview" : "search", () => connector.fetchPage(request)),
    );
    observe("answered");
    return withWarnings(page, warningsOfLocation(turn, request));
  } catch (error) {
    if (limit.isInterrupted) throw new Interrupted("the turn was interrupted", { cause: error });
    observe("failed");
    throw limit.isLate ? tooSlow(error) : error;
  } finally {
    limit.release();
  }
}

async function requestOf(turn: Turn, poll: Poll, signal: AbortSignal): Promise<PageRequest> {
  const { search } = turn;
  return {
    search: await platformSearchOf(turn),
    cursor: poll.fromCursor ? search.cursor : null,
    pageToken: poll.page,
    since: poll.since,
    startedAt: search.startedAt,
    limit: search.preview ? PREVIEW_POSTINGS : PAGE_POSTINGS,
    signal,
  };
}

/** Parts of the location that are not clear, or that all of it has no effect. */
function warningsOfLocation(
  { connector, insight, search }: Turn,
  { search: { places } }: PageRequest,
): readonly string[] {
  if (connector.located === true || insight.query.location === "") return places.unknown;
  return [`The location has no effect on ${search.platform}: postings of all places are collected.`];
}

function withWarnings(page: Page, more: readonly string[]): Page {
  return more.length === 0 ? page : { ...page, warnings: [...(page.warnings ?? []), ...more] };
}

function tooSlow(cause: unknown): PlatformError {
  const message = `The platform did not answer within ${PAGE_MS_MAX / 1000} seconds. It is asked again.`;
  return new PlatformError("temporary", message, { cause });
}
