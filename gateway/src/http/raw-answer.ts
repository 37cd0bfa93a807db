import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { API_HEADERS } from "./headers.js";
import { JSON_TYPE } from "./reply.js";

interface Refusal {
  status: 400 | 405 | 408 | 413 | 431;
  code: string;
  error: string;
  allow?: string;
}

const NO_PROXY: Refusal = {
  status: 405,
  code: "method_not_allowed",
  error: "CONNECT is not possible here: this server is no proxy. Use the routes listed at /openapi.json.",
  allow: "",
};

const MALFORMED: Refusal = {
  status: 400,
  code: "malformed_request",
  error: "The request is not valid HTTP. Send it by HTTP/1.1.",
};

const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: "headers_too_large",
    error: "The headers of the request are too large. Send fewer or shorter ones.",
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: "body_too_large",
    error: "The chunk extensions are too large. Send chunks without any.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: "request_timeout",
    error: "The request did not arrive in time. Send it again.",
  },
};

/**
 * Answers input that Node's parser refused before there was a request, in the same form as every route; then closes,
 * at the latest after `lingerMs`.
 */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Duplex, lingerMs: number): void {
  if (!socket.writable) socket.destroy();
  else refuse(socket, REFUSALS[error.code ?? ""] ?? MALFORMED, lingerMs);
}

/** Answers a CONNECT: this server is no proxy. */
export function answerTunnel(socket: Duplex, lingerMs: number): void {
  refuse(socket, NO_PROXY, lingerMs);
}

function refuse(socket: Duplex, { status, code, error, allow }: Refusal, lingerMs: number): void {
  const requestId = randomUUID();
  const body = JSON.stringify({ error, code, request_id: requestId });
  const more = allow === undefined ? [] : ["Allow", allow];
  const headers = [...API_HEADERS, ...more, "X-Request-Id", requestId, "Content-Type", JSON_TYPE];
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`];
  for (let index = 0; index < headers.length; index += 2) {
    lines.push(`${headers[index] ?? ""}: ${headers[index + 1] ?? ""}`);
  }
  lines.push(`Content-Length: ${Buffer.byteLength(body)}`, "Connection: close", "", body);
  socket.on("error", () => socket.destroy()); // the client may disconnect at any time
  socket.end(lines.join("\r\n"));
  // The client may still be sending. With anything unread, closing would break the connection and take the response
  // away from the client.
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(timer));
  socket.resume();
}
