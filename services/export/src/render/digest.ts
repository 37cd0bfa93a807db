import { createHash } from "node:crypto";

/** A finished file, or the lines it was made of. */
export interface Digest {
  /** Size in bytes. */
  readonly bytes: number;
  /** SHA-256 in hexadecimal. */
  readonly tag: string;
}

/** The digest of a file that is being written. */
export class RunningDigest {
  private bytes = 0;
  private readonly hash = createHash("sha256");

  add(bytes: Uint8Array): void {
    this.bytes += bytes.length;
    this.hash.update(bytes);
  }

  /** Once, after the last bytes. */
  get(): Digest {
    return { bytes: this.bytes, tag: this.hash.digest("hex") };
  }
}
