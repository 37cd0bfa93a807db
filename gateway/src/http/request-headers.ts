import type { IncomingMessage } from "node:http";
import { AppError } from "@hourglass/runtime";

/**
 * Headers that are refused if they occur twice. Node would take the first or join them, while a proxy before this
 * server may have used the other one.
 */
const SINGLE: ReadonlyMap<string, string> = new Map(
  ["Host", "Authorization", "Content-Type", "Idempotency-Key"].map((name) => [name.toLowerCase(), name]),
);
const SINGLE_LENGTHS = new Set([...SINGLE.keys()].map(({ length }) => length));

/** The error in the headers of a request, whatever it requests; undefined if there is none. */
export function objectionToHeaders(req: IncomingMessage): AppError | undefined {
  if (req.headers.host === undefined && req.httpVersion === "1.1")
    return malformed("The request has no Host header. Send one.");
  const repeated = repeatedHeader(req.rawHeaders);
  return repeated === undefined
    ? undefined
    : malformed(`The header ${repeated} came more than once. Send it only once.`);
}

/** Whether the request has a body; a chunked body may be empty. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

function repeatedHeader(rawHeaders: readonly string[]): string | undefined {
  let seen: Set<string> | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (!SINGLE_LENGTHS.has(name.length)) continue; // skips most names cheaply
    const single = SINGLE.get(name.toLowerCase());
    if (single === undefined) continue;
    if (seen?.has(single) === true) return single;
    seen = (seen ?? new Set<string>()).add(single);
  }
  return undefined;
}

function malformed(message: string): AppError {
  return new AppError("invalid", message, { code: "malformed_request" });
}
