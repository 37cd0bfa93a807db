import type { MessagePort } from "node:worker_threads";
import { decodeUtf8, MalformedJson, NotUtf8, parseJson } from "./parse.js";
import { slicesOf } from "./slices.js";

export interface ThreadTask {
  readonly bytes: Uint8Array;
  readonly subject: string;
  /** Where the slices of the value are sent to. */
  readonly port: MessagePort;
}

/** What the thread answers, after it has sent all slices: errors lose their class on the way. */
export type ThreadAnswer = "parsed" | { readonly malformed: string } | "not-utf8";

/** Runs in the parsing thread, called by name. */
export function parse({ bytes, subject, port }: ThreadTask): ThreadAnswer {
  try {
    for (const slice of slicesOf(parseJson(decodeUtf8(bytes), subject))) port.postMessage(slice);
    return "parsed";
  } catch (error) {
    if (error instanceof NotUtf8) return "not-utf8";
    if (error instanceof MalformedJson) return { malformed: error.message };
    throw error;
  }
}
