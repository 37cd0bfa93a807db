import { Hourglass, HourglassError, type UploadOptions } from "@hourglass/client";
import { isWorthWaiting, waitAsAsked } from "./patience.js";
import { session } from "./session.js";

/** A client besides the usual one, since the browser tells the progress of an upload only outside of `fetch`. */
const uploader = new Hourglass({ baseUrl: location.origin, retries: 0 });

/**
 * Uploads a file and returns its id. As other requests do, it asks to sign in again when the session has expired, and waits
 * when the server asks for it; its key makes the repetition the same upload.
 */
export async function uploadFile(
  file: Blob,
  options: UploadOptions & { readonly signal: AbortSignal; readonly idempotencyKey: string },
): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    options.signal.throwIfAborted();
    const token = await session.usable();
    uploader.useToken(token);
    try {
      return await uploader.upload(file, options);
    } catch (error) {
      if (!(error instanceof HourglassError)) throw error;
      if (error.status === 401 && token !== undefined) {
        if ((await session.expired(token)) === undefined) throw error;
        continue;
      }
      const seconds = error.retryAfterSeconds ?? Number.NaN;
      if (!isWorthWaiting(error.status, seconds, attempt)) throw error;
      await waitAsAsked(error.status, Math.max(1, seconds), options.signal);
    }
  }
}
