import { once } from "node:events";
import { PassThrough } from "node:stream";

/** Stores the bytes of a file; a stream that fails must leave nothing. */
export type Sink = (bytes: AsyncIterable<Uint8Array>) => Promise<unknown>;

/** Bytes waiting for the storage. */
const WAITING_BYTES_MAX = 1024 * 1024;

/** A file that is being written to its sink, at the pace of the sink. */
export class Outlet {
  private readonly stream = new PassThrough({ highWaterMark: WAITING_BYTES_MAX });
  private readonly stored: Promise<void>;
  private readonly failure = new AbortController();

  constructor(sink: Sink) {
    this.stream.on("error", () => undefined); // the sink reports it
    this.stored = this.store(sink);
    this.stored.catch((error: unknown) => this.failure.abort(error));
  }

  /** Fails with the error of the sink. */
  async write(bytes: Uint8Array): Promise<void> {
    const { signal } = this.failure;
    signal.throwIfAborted();
    if (bytes.length === 0 || this.stream.write(bytes)) return;
    try {
      await once(this.stream, "drain", { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  }

  /** Waits until everything is stored. */
  async end(): Promise<void> {
    this.stream.end();
    await this.stored;
  }

  /** Fails the sink with the error, and waits for it to give up. */
  async fail(error: Error): Promise<void> {
    this.stream.destroy(error);
    await this.stored.catch(() => undefined);
  }

  private async store(sink: Sink): Promise<void> {
    await sink(this.stream);
    if (!this.stream.readableEnded) throw new Error("The storage has not taken all bytes of a file.");
  }
}
