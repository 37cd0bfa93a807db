import { createHash } from "node:crypto";
import { createInspector, type MediaFacts, UnacceptableFileError } from "@hourglass/analysis/formats";
import { AppError } from "@hourglass/runtime";
import type { MediaLimits } from "@hourglass/runtime";

export interface UploadLimits {
  uploadBytesMax: number;
  limits: MediaLimits;
}

/** The bytes of one upload on their way: counted, hashed, and parsed as they pass, so that they are looked at once. */
export class IncomingBytes {
  private readonly hash = createHash("sha256");
  private size = 0;

  constructor(
    private readonly bytes: AsyncIterable<Uint8Array>,
    private readonly limits: UploadLimits,
  ) {}

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

  /** Of all bytes that have passed, base64url; once. */
  digest(): string {
    return this.hash.digest("base64url");
  }

  private async *counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.bytes) {
      this.size += chunk.length;
      if (this.size > this.limits.uploadBytesMax) throw tooLarge(this.limits.uploadBytesMax);
      this.hash.update(chunk);
      yield chunk;
    }
    if (this.size === 0) throw AppError.invalid([{ field: "file", message: "is empty" }], "empty_file");
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
  return new AppError("too-large", `The file must not be larger than ${bytesMax} bytes.`, { code: "file_too_large" });
}
