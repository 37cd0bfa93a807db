import type { IncomingHttpHeaders } from "node:http";
import Negotiator from "negotiator";

/** The type that the Accept header prefers, by its weights; the first if it accepts any, undefined if it accepts none. */
export function preferredType<T extends string>(headers: IncomingHttpHeaders, types: readonly T[]): T | undefined {
  const found = new Negotiator({ headers }).mediaType([...types]);
  return types.find((type) => type === found);
}

/** How a body may be compressed; `identity` is not compressed. */
export type ContentCoding = "br" | "gzip" | "identity";

const CODINGS: readonly ContentCoding[] = ["br", "gzip", "identity"];

/** The coding that the Accept-Encoding header prefers; `identity` without one, and if it accepts none. */
export function preferredCoding(headers: IncomingHttpHeaders): ContentCoding {
  const found = new Negotiator({ headers }).encoding([...CODINGS]);
  return CODINGS.find((coding) => coding === found) ?? "identity";
}
