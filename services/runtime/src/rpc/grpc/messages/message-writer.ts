import type { Writable } from "node:stream";

/** Limit of unsent bytes per stream. In bytes because grpc-js counts messages, which may be large. */
const PENDING_BYTES_MAX = 256 * 1024;

/** Writes to a stream no faster than its reader reads. */
export class MessageWriter {
  private pendingBytes = 0;
  private resume: (() => void) | undefined;

  /** `signal` ends all waiting, because a write to a finished call may never be confirmed. */
  constructor(
    private readonly call: Writable,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener("abort", () => this.resume?.(), { once: true });
  }

  /** Resolves when there is room for more. */
  async write(bytes: Buffer): Promise<void> {
    if (this.signal.aborted) return;
    this.pendingBytes += bytes.length;
    this.call.write(bytes, () => {
      this.pendingBytes -= bytes.length;
      if (this.pendingBytes <= PENDING_BYTES_MAX) this.resume?.();
    });
    if (this.pendingBytes <= PENDING_BYTES_MAX) return;
    await new Promise<void>((resolve) => {
      this.resume = resolve;
    });
  }
}
