import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { AppError } from "@hourglass/runtime";
import { API_HEADERS, hasBody, type HeaderList } from "./headers.js";
import { JSON_TYPE, type Reply } from "./reply.js";
import type { RequestContext } from "./request-context.js";

/**
 * Written at once; larger bodies are sent in pieces, so that neither this process nor a slow client buffers all of it.
 */
const CHUNK_CHARACTERS = 65_536;
/** An unwanted body up to this size is read to its end, and the connection is kept. */
const DISCARDED_BYTES_MAX = 65_536;

/** Sends a response. Never fails: a disconnected client needs none. */
export function send(context: RequestContext, reply: Reply): void {
  const { res } = context;
  const { body } = reply;
  if (res.headersSent || res.destroyed) {
    abandon(body);
    return;
  }
  if (body === undefined || typeof body === "string" || body instanceof Uint8Array) sendWhole(context, reply, body);
  else if (Symbol.asyncIterator in body) void stream(context, reply, "", body);
  else sendPieces(context, reply, body[Symbol.iterator]());
}

/** Ends the reading of a body that nobody waits for any more, which may hold a file open. */
function abandon(body: Reply["body"]): void {
  if (typeof body !== "object" || !(Symbol.asyncIterator in body)) return;
  body[Symbol.asyncIterator]()
    .return?.()
    .catch(() => undefined);
}

function sendWhole(context: RequestContext, reply: Reply, body: string | Uint8Array | undefined): void {
  const { req, res } = context;
  const leftover = unreadBody(context);
  const headers = headersOf(context, reply, leftover === "linger");
  if (body !== undefined) headers.push("Content-Length", String(Buffer.byteLength(body)));
  context.sending(() => 0); // small enough to be sent at once
  res.writeHead(reply.status, headers);
  if (leftover === "none") {
    res.end(body);
    return;
  }
  // With its last byte the response is complete for the client, though not ended here.
  if (body === undefined || req.method === "HEAD") res.flushHeaders();
  else res.write(body);
  discardBody(context);
  // A client that still waits for 100 Continue may never send its body; if it does so after all, that is read.
  if (context.awaitsContinue) context.hangUp();
}

/** What is still to come of the body of the request, and whether the connection is closed after it. */
type Leftover = "none" | "discard" | "linger";

function unreadBody({ req, awaitsContinue, abandoned }: RequestContext): Leftover {
  if (req.complete || req.destroyed || !hasBody(req)) return "none";
  const length = Number(req.headers["content-length"] ?? Infinity);
  return length <= DISCARDED_BYTES_MAX && !awaitsContinue && !abandoned ? "discard" : "linger";
}

/**
 * Reads and discards the rest of an unwanted body, and ends the response after it. Ending the response at once would
 * close the connection while the client is still sending, and most clients then report the broken connection instead
 * of the response. Stops when nothing more arrives, when it is too slow, or when it is far too large. A client that was
 * given up for its slowness is not waited for again.
 */
function discardBody(context: RequestContext): void {
  const { req, res, sendsFile, abandoned, gateway } = context;
  const { lingerMs, bodyBytesMax, uploadBytesMax } = gateway.settings;
  const bytesMax = 2 * (sendsFile ? uploadBytesMax : bodyBytesMax);
  gateway.budget.release(context);
  let bytes = 0;
  let bytesBefore = 0;
  const onQuiet = () => {
    if (bytes === bytesBefore || abandoned || gateway.stopping) {
      context.disconnect();
      return;
    }
    bytesBefore = bytes;
    timer.refresh();
  };
  // Data that arrived while this process was busy is read before the silence is judged.
  const timer = setTimeout(() => setImmediate(onQuiet), lingerMs);
  context.receiving(
    () => bytes,
    () => context.disconnect(),
  );
  req.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bytesMax) context.disconnect();
  });
  req.removeAllListeners("readable"); // a reader that stopped in between would hold the body up
  req.once("end", () => {
    if (req.socket.writableEnded) context.disconnect();
    else res.end();
  });
  res.once("close", () => clearTimeout(timer));
  req.resume();
}

function sendPieces(context: RequestContext, reply: Reply, pieces: Iterator<string>): void {
  let text = "";
  for (let next = pieces.next(); next.done !== true; next = pieces.next()) {
    text += next.value;
    if (text.length >= CHUNK_CHARACTERS) {
      void stream(context, reply, text, inLargePieces(pieces));
      return;
    }
  }
  sendWhole(context, reply, text);
}

async function stream(
  context: RequestContext,
  reply: Reply,
  first: string,
  pieces: Iterable<string> | AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const { req, res } = context;
  const leftover = unreadBody(context);
  res.writeHead(reply.status, headersOf(context, reply, leftover === "linger"));
  if (req.method === "HEAD") {
    res.end();
    return;
  }
  context.sending();
  try {
    if (first === "")
      res.flushHeaders(); // a compressed body may take a while to begin
    else await write(context, first);
    for await (const piece of pieces) await write(context, piece);
    if (leftover === "none" || req.complete) res.end();
    else discardBody(context);
  } catch (error) {
    // It is too late for another status: the broken connection tells the client that the body is incomplete.
    if (!res.destroyed) logCut(context, error);
    context.reset();
  }
}

/** That a part is unavailable, or that a file was replaced while it was read, is no fault of the gateway. */
function logCut({ gateway: { log }, requestId }: RequestContext, error: unknown): void {
  const noted = { err: error, request_id: requestId };
  if (error instanceof AppError) log.warn(noted, "answer cut");
  else log.error(noted, "answer cut");
}

/** Joins short pieces, so that each write is large enough. */
export function* inLargePieces(pieces: Iterator<string>): Generator<string> {
  let text = "";
  for (let next = pieces.next(); next.done !== true; next = pieces.next()) {
    text += next.value;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield text;
    text = "";
  }
  if (text !== "") yield text;
}

async function write(context: RequestContext, piece: string | Uint8Array): Promise<void> {
  const { res } = context;
  context.noteWork();
  if (res.destroyed) throw new Error("The client has left.");
  if (!res.write(piece)) await drained(res);
  await nextTurn(); // others are served before the next piece is made
}

async function drained(res: ServerResponse): Promise<void> {
  const left = new AbortController();
  const onClose = () => left.abort();
  res.once("close", onClose);
  try {
    await once(res, "drain", { signal: left.signal });
  } finally {
    res.off("close", onClose);
  }
}

/** Sets the headers of every API response, and others, for who writes the response without `send`. */
export function setHeaders(context: RequestContext, others: HeaderList): void {
  const headers = headersOf(context, { status: 200, headers: others }, false);
  for (let index = 0; index < headers.length; index += 2) {
    context.res.appendHeader(headers[index] ?? "", headers[index + 1] ?? "");
  }
}

/** Whether some of the body of the request has not been read: then only `send` may answer it. */
export function hasUnreadBody(context: RequestContext): boolean {
  return unreadBody(context) !== "none";
}

function headersOf(context: RequestContext, reply: Reply, close: boolean): string[] {
  const headers = [...(reply.baseHeaders ?? API_HEADERS), "X-Request-Id", context.requestId];
  if (context.rateHeaders.length > 0) headers.push(...context.rateHeaders);
  if (reply.headers !== undefined) headers.push(...reply.headers);
  if (reply.body !== undefined) headers.push("Content-Type", reply.contentType ?? JSON_TYPE);
  if (close || context.gateway.stopping) headers.push("Connection", "close");
  return headers;
}
