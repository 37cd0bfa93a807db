import { fstatSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import type { DestinationStream } from "pino";

/** A place that lines go to. It never waits and never throws. */
export interface Sink {
  /** Takes a line, with its line feed; false: there is no room for it now. */
  write(line: string): boolean;
}

interface LogOutputOptions {
  sink: Sink;
  /** Name of the process in the line about dropped ones. */
  process: string;
  /** Makes of a JSON line what people read. Default: the line itself. */
  format?: (line: string) => string;
  /** Interval of the attempts to tell of dropped lines, in milliseconds. */
  retryMs?: number;
  now?: () => Date;
}

const RETRY_MS = 1000;

let droppedInAll = 0;

/** How many lines this process has dropped from its log. */
export const droppedLogLines = (): number => droppedInAll;

/**
 * Where the lines of a log go. Serving matters more than its log: a line for which there is no room, because a disk is
 * full or nobody reads a pipe, is dropped and counted. One line says how many were, once there is room again.
 */
export class LogOutput implements DestinationStream {
  readonly #options: Required<LogOutputOptions>;
  #dropped = 0;
  #since = "";
  #retrying: NodeJS.Timeout | undefined;

  constructor(options: LogOutputOptions) {
    this.#options = { format: (line) => line, retryMs: RETRY_MS, now: () => new Date(), ...options };
  }

  write(line: string): void {
    if (this.#tellOfDropped() && this.#put(line)) return;
    if (this.#dropped === 0) this.#since = this.#options.now().toISOString();
    this.#dropped += 1;
    droppedInAll += 1;
    this.#retrying ??= setInterval(() => this.#tellOfDropped(), this.#options.retryMs).unref();
  }

  /** Whether there is nothing more to tell. */
  #tellOfDropped(): boolean {
    if (this.#dropped === 0) return true;
    const note = {
      level: "warn",
      time: this.#options.now().toISOString(),
      process: this.#options.process,
      dropped: this.#dropped,
      since: this.#since,
      msg: "the log had no room, its lines were dropped",
    };
    if (!this.#put(`${JSON.stringify(note)}\n`)) return false;
    clearInterval(this.#retrying);
    this.#retrying = undefined;
    this.#dropped = 0;
    return true;
  }

  #put(line: string): boolean {
    return this.#options.sink.write(this.#options.format(line));
  }
}

/**
 * The standard output of this process as a sink. A file is written at once, so that the last line of a process that ends
 * is in it. A pipe takes what it can, and the process keeps a limited part of the rest.
 */
export function standardOutput(): Sink {
  const { stdout } = process;
  // A failure of the stream would otherwise be an uncaught error, which ends the process.
  stdout.on("error", () => undefined);
  process.stderr.on("error", () => undefined);
  return isWrittenAtOnce(stdout.fd) ? new FileSink(stdout.fd) : new StreamSink(stdout);
}

/** Files and devices such as /dev/null; a terminal may be in use by other programs, which change how it waits. */
function isWrittenAtOnce(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isFile() || (stats.isCharacterDevice() && !isatty(fd));
  } catch {
    return false;
  }
}

/** An open file. What a full disk cuts off a line is written first once there is room, so that no line is broken. */
export class FileSink implements Sink {
  readonly #fd: number;
  #rest: Buffer = Buffer.alloc(0);

  constructor(fd: number) {
    this.#fd = fd;
  }

  write(line: string): boolean {
    this.#flush();
    if (this.#rest.length > 0) return false;
    const bytes = Buffer.from(line);
    this.#rest = bytes;
    this.#flush();
    if (this.#rest.length < bytes.length) return true;
    this.#rest = Buffer.alloc(0);
    return bytes.length === 0;
  }

  #flush(): void {
    try {
      while (this.#rest.length > 0) {
        const written = writeSync(this.#fd, this.#rest);
        if (written === 0) return;
        this.#rest = this.#rest.subarray(written);
      }
    } catch {
      // Full, over a quota, or gone: the rest waits for the next attempt.
    }
  }
}

/** Bytes that wait in this process for the reader of a pipe; more are dropped. */
const WAITING_BYTES_MAX = 1_048_576;

interface Writing {
  readonly writable: boolean;
  readonly writableLength: number;
  write(text: string): unknown;
}

/** A pipe, socket or terminal, which a person or program reads at their own speed, or no more. */
export class StreamSink implements Sink {
  readonly #stream: Writing;

  constructor(stream: Writing) {
    this.#stream = stream;
  }

  write(line: string): boolean {
    const { writable, writableLength } = this.#stream;
    if (!writable || writableLength + line.length > WAITING_BYTES_MAX) return false;
    this.#stream.write(line);
    return true;
  }
}
