import type { ServerResponse } from "node:http";
import type { Fault } from "./fault.js";
import type { Reply } from "./exchange.js";
import { toJson } from "./json.js";

const SIGN_IN_PATH = "/sign-in";
const WEB_PAGE = "<!doctype html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>";
const CHUNK = Buffer.alloc(65_536, " ");

/** Sends a reply as it is. */
export function sendReply(response: ServerResponse, { status = 200, headers = {}, body }: Reply): void {
  const isText = typeof body === "string";
  const type = isText ? "text/plain; charset=utf-8" : "application/json; charset=utf-8";
  response.writeHead(status, { "Content-Type": type, ...headers });
  response.end(contentOf(body));
}

/** Does what a fault says; `reply` gives the answer that it spoils. */
export function sendFault(response: ServerResponse, fault: Fault, reply: () => Reply): void {
  switch (fault.kind) {
    case "status":
      return sendReply(response, { ...fault, body: fault.body ?? {} });
    case "web-page":
      return sendReply(response, { headers: { "Content-Type": "text/html" }, body: WEB_PAGE });
    case "sign-in-page":
      return sendSignIn(response, fault.at);
    case "empty":
      return sendReply(response, { body: "" });
    case "changed": {
      const good = reply();
      return sendReply(response, { ...good, body: fault.change(good.body) });
    }
    case "silent":
      return;
    default:
      return sendSpoiled(response, fault, reply());
  }
}

type Spoiling = Extract<Fault, { kind: "broken-json" | "padded" | "endless" | "stalled" | "cut" }>;

function sendSpoiled(response: ServerResponse, fault: Spoiling, { status = 200, headers = {}, body }: Reply): void {
  const content = contentOf(body);
  const half = content.slice(0, Math.ceil(content.length / 2));
  response.writeHead(status, { "Content-Type": "application/json; charset=utf-8", ...headers });
  if (fault.kind === "broken-json") response.end(half);
  else if (fault.kind === "padded") pad(response, fault.bytes, () => response.end(content));
  else if (fault.kind === "endless") pad(response, Infinity, () => undefined);
  else response.write(half, () => (fault.kind === "cut" ? response.destroy() : undefined));
}

/** Sends spaces as fast as they are taken. */
function pad(response: ServerResponse, bytes: number, done: () => void): void {
  let left = bytes;
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= CHUNK.length;
      if (!response.write(CHUNK)) return void response.once("drain", more);
    }
    if (!response.destroyed) done();
  };
  more();
}

/** A browser that follows the redirect gets a web page with status 200: the sign-in page has no redirect of its own. */
function sendSignIn(response: ServerResponse, at: string = SIGN_IN_PATH): void {
  sendReply(response, { status: 302, headers: { Location: at }, body: "" });
}

/** The page to which `sign-in-page` redirects; undefined for requests of other paths. */
export function signInReply(path: string): Reply | undefined {
  return path === SIGN_IN_PATH ? { headers: { "Content-Type": "text/html" }, body: WEB_PAGE } : undefined;
}

function contentOf(body: unknown): string | Uint8Array {
  return typeof body === "string" || body instanceof Uint8Array ? body : toJson(body);
}
