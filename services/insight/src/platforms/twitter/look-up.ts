import { readEach } from "../schemas.js";
import type { LookUp, LookUpRequest, Rechecks } from "../connector.js";
import { readLookUp, readPost } from "./asking/answer.js";
import { askForPosts, type AskingDeps } from "./asking/ask-for-posts.js";
import { pauseOf } from "./asking/failure.js";
import { lookUpUrl, type SearchAddress } from "./asking/search-url.js";
import { includedIn } from "./posting/included.js";
import { toPosting } from "./posting/to-posting.js";

export interface LookUpDeps extends AskingDeps {
  readonly address: SearchAddress;
}

/** X has what is deleted, protected or changed followed within a day. */
const TERM_MS = 24 * 60 * 60_000;
const ID = /^\d{1,19}$/;
/** A post that was deleted, or of an account that is protected, suspended or gone. */
const GONE = /(?:resource-not-found|not-authorized-for-resource)$/;

/** Stored posts are asked for by their ids; X bills those that it finds. */
export function createRechecks(deps: LookUpDeps): Rechecks {
  return {
    idsMax: deps.budgets.pageSizeFor(Infinity),
    termMs: () => TERM_MS,
    lookUp: (request) => lookUp(deps, request),
  };
}

async function lookUp(deps: LookUpDeps, { ids, signal }: LookUpRequest): Promise<LookUp> {
  // X refuses a request with anything that is no id.
  const sent = ids.filter((id) => ID.test(id));
  if (sent.length === 0) return { found: [], gone: [] };
  const question = { url: lookUpUrl(deps.address, sent), posts: sent.length, preview: false, signal, read: readLookUp };
  const { response, page } = await askForPosts(deps, question);
  const included = includedIn(page);
  const { items } = readEach(page.data, readPost);
  const missing = (page.errors ?? []).filter((error) => GONE.test(error.type ?? ""));
  return {
    found: items.map((post) => toPosting(post, included)),
    gone: missing.flatMap((error) => error.resource_id ?? error.value ?? []),
    ...pauseOf(response, deps.now()),
  };
}
