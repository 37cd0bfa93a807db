import { createHash, type Hash } from "node:crypto";
import { createInspector, type MediaFacts, UnacceptableFileError } from "@hourglass/analysis/formats";
import { AppError } from "@hourglass/runtime";
import type { MediaConfig } from "../config.js";

export interface UploadLimits {
  uploadBytesMax: number;
  limits: MediaConfig["limits"];
}

/** The byte stream of one upload: counted, parsed and, if requested, hashed as it passes. */
export class IncomingBytes {
  private readonly hash: Hash | undefined;
  private size = 0;

  constructor(
    private readonly bytes: AsyncIterable<Uint8Array>,
    private readonly limits: UploadLimits,
    { hashed }: { hashed: boolean },
  ) {
    // Hashing is a fifth of the cost of an upload, so it is done only if the hash will be compared.
    if (hashed) this.hash = createHash("sha256");
  }

  /**
   * Passes the bytes on; calls `passed` with the facts at the end of an acceptable file. Throws AppError `too-large`,
   * or `invalid` as soon as it is clear that the file has no format that can be analysed.
   */
  async *inspected(passed: (facts: MediaFacts) => void): AsyncGenerator<Uint8Array> {
    const inspector = createInspector(this.limits.limits);
    for await (const chunk of this.counted()) {
      judged(() => inspector.write(chunk));
      yield chunk;
    }
    passed(judged(() => inspector.end()));
  }

  /** Reads all bytes to the end. Throws AppError `too-large`, and `invalid` if there are none. */
  async drain(): Promise<void> {
    const bytes = this.counted();
    while ((await bytes.next()).done !== true);
  }

  /** SHA-256 of all bytes that have passed, base64url; null if they are not hashed. Can be called only once. */
  digest(): string | null {
    return this.hash?.digest("base64url") ?? null;
  }

  private async *counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.bytes) {
      this.size += chunk.length;
      if (this.size > this.limits.uploadBytesMax) throw tooLarge(this.limits.uploadBytesMax);
      this.hash?.update(chunk);
      yield chunk;
    }
    if (this.size === 0)
      throw AppError.invalid([{ field: "file", message: "Give a file that is not empty." }], "empty_file");
  }
}

function judged<T>(judge: () => T): T {
  try {
    return judge();
  } catch (error) {
    if (!(error instanceof UnacceptableFileError)) throw error;
    throw new AppError("invalid", error.message, {
      code: "unsupported_file",
      violations: [{ field: "file", message: error.message }],
    });
  }
}

function tooLarge(bytesMax: number): AppError {
  return new AppError(
    "too-large",
    `The file is larger than the ${bytesMax} bytes that are allowed. Send a smaller one.`,
    { code: "file_too_large" },
  );
}
