import { createHash, type Hash } from "node:crypto";
import { createInspector, type MediaFacts, UnacceptableFileError } from "@hourglass/analysis/formats";
import { AppError } from "@hourglass/runtime";
import type { MediaConfig } from "./config.js";

export interface UploadLimits {
  uploadBytesMax: number;
  limits: MediaConfig["limits"];
}

/** The bytes of one upload on their way: counted, parsed and, where asked for, hashed as they pass. */
export class IncomingBytes {
  private readonly hash: Hash | undefined;
  private size = 0;

  constructor(
    private readonly bytes: AsyncIterable<Uint8Array>,
    private readonly limits: UploadLimits,
    { hashed }: { hashed: boolean },
  ) {
    // A fifth of what an upload costs, so only where somebody will compare.
    if (hashed) this.hash = createHash("sha256");
  }

  /**
   * Passes the bytes on; `passed` learns the facts at the end of an acceptable file. Throws AppError `too-large`, or `invalid`
   * as soon as it is clear that the file is none of those that can be analysed.
   */
  async *inspected(passed: (facts: MediaFacts) => void): AsyncGenerator<Uint8Array> {
    const inspector = createInspector(this.limits.limits);
    for await (const chunk of this.counted()) {
      judged(() => inspector.write(chunk));
      yield chunk;
    }
    passed(judged(() => inspector.end()));
  }

  /** Reads all bytes to their end. Throws AppError `too-large`, and `invalid` when there are none. */
  async drain(): Promise<void> {
    const bytes = this.counted();
    while ((await bytes.next()).done !== true);
  }

  /** SHA-256 of all bytes that have passed, base64url; null when they are not hashed. Once. */
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
