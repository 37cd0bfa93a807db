import { useRef } from "preact/hooks";

/** A key for a request that must happen once, however often it is sent. Also where a page without https has no randomUUID. */
export function newIdempotencyKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Sends requests that must happen once: a repetition of the same one has the same key until it has succeeded, so that one that
 * was cut off is not carried out twice. Another request has another key.
 */
export function useOnce(): <T>(request: unknown, send: (key: string) => Promise<T>) => Promise<T> {
  const tried = useRef<{ readonly request: string; readonly key: string }>(undefined);
  return async (wanted, send) => {
    const request = JSON.stringify(wanted);
    if (tried.current?.request !== request) tried.current = { request, key: newIdempotencyKey() };
    const result = await send(tried.current.key);
    tried.current = undefined;
    return result;
  };
}
