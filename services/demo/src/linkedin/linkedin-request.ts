import type { UpstreamRequest } from "../upstream/exchange.js";

const COUNT_MAX = 100;

/** A request that LinkedIn would refuse. */
export class RestRefused extends Error {
  override readonly name = "RestRefused";

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export interface PostsRequest {
  /** Id of the organisation. */
  readonly organisation: string;
  readonly start: number;
  readonly count: number;
}

/** Checks the headers that every call of Rest.li needs. Throws RestRefused. */
export function checkHeaders({ headers }: UpstreamRequest, versions: ReadonlySet<string>): void {
  const version = headers["linkedin-version"];
  if (typeof version !== "string" || !versions.has(version)) {
    throw new RestRefused(426, `Requested version ${String(version)} is not active`);
  }
  if (headers["x-restli-protocol-version"] !== "2.0.0") throw new RestRefused(400, "Invalid protocol version");
}

/** Checks which method of Rest.li is asked for. Throws RestRefused. */
export function checkMethod({ headers }: UpstreamRequest, method: "FINDER" | "BATCH_GET"): void {
  if (headers["x-restli-method"] !== method) throw new RestRefused(400, `X-RestLi-Method must be ${method}`);
}

/** Reads a request for posts of an author. Throws RestRefused. */
export function readPostsRequest({ query }: UpstreamRequest): PostsRequest {
  if (query.get("q") !== "author") throw new RestRefused(400, "The finder is not known");
  if (query.get("sortBy") !== "LAST_MODIFIED") throw new RestRefused(400, "sortBy is not known");
  const count = Number(query.get("count"));
  const start = Number(query.get("start"));
  if (!Number.isInteger(count) || count < 1 || count > COUNT_MAX) throw new RestRefused(400, "count is from 1 to 100");
  if (!Number.isInteger(start) || start < 0) throw new RestRefused(400, "start is not valid");
  return { organisation: organisationOf(query.get("author")), start, count };
}

/** Id of the organisation of a URN. Throws RestRefused. */
export function organisationOf(urn: string | null): string {
  const id = /^urn:li:organization:(\d+)$/.exec(urn ?? "")?.[1];
  if (id === undefined) throw new RestRefused(400, `${urn} is no URN of an organisation`);
  return id;
}

/** The entries of `List(…)`. Throws RestRefused. */
export function listOf(text: string | null): string[] {
  const entries = /^List\((.*)\)$/.exec(text ?? "List()")?.[1];
  if (entries === undefined) throw new RestRefused(400, "A list has the form List(…)");
  return entries === "" ? [] : entries.split(",");
}
