import { RequestRefused } from "./problem.js";

const TOKEN = /^[\w-]+$/;

/** Refuses parameters that a method does not have, and a request without `part`. */
export function checkNames(query: URLSearchParams, known: readonly string[]): void {
  const unknown = [...query.keys()].find((name) => ![...known, "part", "key"].includes(name));
  if (unknown !== undefined) throw new RequestRefused(400, "badRequest", `Unknown name "${unknown}"`);
  if (!query.has("part")) throw new RequestRefused(400, "missingRequiredParameter", "No filter selected: part");
}

/** Results of a page: from 0 to `most`, 5 if nothing is said. */
export function limitOf(query: URLSearchParams, most: number): number {
  const limit = Number(query.get("maxResults") ?? "5");
  if (Number.isInteger(limit) && limit >= 0 && limit <= most) return limit;
  throw new RequestRefused(400, "invalidParameter", `Invalid value for maxResults, which is at most ${most}.`);
}

export function tokenOf(query: URLSearchParams): string | undefined {
  const token = query.get("pageToken") ?? undefined;
  if (token === undefined || TOKEN.test(token)) return token;
  throw new RequestRefused(400, "invalidPageToken", "The request specifies an invalid page token.");
}

/** Ids with commas between them, at most 50. */
export function idsOf(query: URLSearchParams): string[] {
  const ids = (query.get("id") ?? "").split(",").filter((id) => id !== "");
  if (ids.length === 0) throw new RequestRefused(400, "missingRequiredParameter", "No filter selected.");
  if (ids.length > 50) throw new RequestRefused(400, "invalidFilters", "More than 50 ids.");
  return ids;
}

/** A time as RFC 3339 writes it, in milliseconds since the epoch. */
export function timeOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new RequestRefused(400, "invalidSearchFilter", `Invalid ${name}: ${text}`);
  return time;
}
