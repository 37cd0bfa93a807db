import { readEach } from "../schemas.js";
import { type LookUp, type LookUpRequest, PlatformError, type Rechecks } from "../connector.js";
import { readListing, readThing } from "./asking/answer.js";
import { errorOfResponse, heldUntil } from "./asking/failure.js";
import { lookUpUrl, PAGE_THINGS } from "./asking/listing-url.js";
import type { RedditApi } from "./asking/reddit-api.js";
import { isGone } from "./posting/gone.js";
import { toPosting } from "./posting/to-posting.js";

export interface LookUpDeps {
  readonly api: Pick<RedditApi, "ask">;
  readonly baseUrl: string;
  readonly now: () => number;
}

const DAY_MS = 24 * 60 * 60_000;
/** Most is deleted soon. */
const NEW_MS = 14 * DAY_MS;
const ID = /^t[13]_[a-z0-9]{1,16}$/;

/** Stored things are asked for by their fullnames: new ones every two days, as integrators of Reddit do, others weekly. */
export function createRechecks(deps: LookUpDeps): Rechecks {
  return {
    idsMax: PAGE_THINGS,
    termMs: (ageMs) => (ageMs < NEW_MS ? 2 : 7) * DAY_MS,
    lookUp: (request) => lookUp(deps, request),
  };
}

async function lookUp({ api, baseUrl, now }: LookUpDeps, { ids, signal }: LookUpRequest): Promise<LookUp> {
  const sent = ids.filter((id) => ID.test(id));
  if (sent.length === 0) return { found: [], gone: [] };
  const { response } = await api.ask(lookUpUrl(baseUrl, sent), signal);
  if (response.status !== 200) throw errorOfResponse(response, now());
  const listing = readListing(response.body);
  if (listing === undefined) throw new PlatformError("temporary", "Reddit returns no listing. It will be retried.");
  const { items, skipped } = readEach(listing.children, readThing);
  const shown = new Set(items.map(({ data }) => data.name));
  // What cannot be read may be any of those that seem to be missing.
  const missing = skipped > 0 ? [] : sent.filter((id) => !shown.has(id));
  const until = heldUntil(response, now());
  return {
    found: items.filter((thing) => !isGone(thing)).map(toPosting),
    gone: [...missing, ...items.filter(isGone).map(({ data }) => data.name)],
    ...(until !== undefined && { notBefore: until }),
  };
}
