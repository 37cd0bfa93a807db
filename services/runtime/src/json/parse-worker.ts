import { decodeUtf8, MalformedJson, NotUtf8, parseJson } from "./parse.js";

/** What the thread answers: errors lose their class on the way. */
export type ThreadAnswer = { readonly value: unknown } | { readonly malformed: string } | "not-utf8";

/** Runs in the parsing thread, called by name. */
export function parse({ bytes, subject }: { bytes: Uint8Array; subject: string }): ThreadAnswer {
  try {
    return { value: parseJson(decodeUtf8(bytes), subject) };
  } catch (error) {
    if (error instanceof NotUtf8) return "not-utf8";
    if (error instanceof MalformedJson) return { malformed: error.message };
    throw error;
  }
}
