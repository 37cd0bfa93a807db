import type { IncomingMessage } from "node:http";
import { AppError } from "@hourglass/runtime";

/** What is wrong with the headers of a request, whatever it asks for; undefined when nothing is. */
export function objectionToHeaders(req: IncomingMessage): AppError | undefined {
  if (req.headers.host === undefined && req.httpVersion === "1.1") return malformed("The request needs a Host header.");
  return undefined;
}

/** Whether a body comes with a request, be it empty. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

function malformed(message: string): AppError {
  return new AppError("invalid", message, { code: "malformed_request" });
}
