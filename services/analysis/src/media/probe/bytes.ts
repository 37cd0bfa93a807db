import { UnacceptableFileError } from "./facts.js";

/**
 * A parser's request. The bytes that it yields are valid until the next request.
 *
 * - take: exactly this many bytes, which are consumed; the file is refused if it has fewer.
 * - peek: the same without consuming them; fewer at the end of the file.
 * - skip: consumes bytes without reading them; the file is refused if it ends before. Yields no bytes.
 * - scan: receives the available bytes, piece by piece, until it returns less than the piece's length to stop there, or
 *   the file ends. Yields no bytes.
 */
type ByteRequest =
  { kind: "take" | "peek" | "skip"; bytes: number } | { kind: "scan"; scan: (piece: Uint8Array) => number };

/**
 * A parser: reads a file from its beginning by requesting bytes, and returns its result. Throws UnacceptableFileError.
 */
export type Parser<T> = Generator<ByteRequest, T, Uint8Array>;

/** The position of a parser, in bytes from the beginning of the file. */
export interface Position {
  readonly position: number;
}

/** Maximum number of bytes per take or peek, which bounds the memory. */
export const TAKE_MAX = 1 << 16;

/** At most TAKE_MAX. */
export const take = (bytes: number): ByteRequest => ({ kind: "take", bytes });
/** At most TAKE_MAX. */
export const peek = (bytes: number): ByteRequest => ({ kind: "peek", bytes });
/** Any number. */
export const skip = (bytes: number): ByteRequest => ({ kind: "skip", bytes });
export const scan = (piece: (piece: Uint8Array) => number): ByteRequest => ({ kind: "scan", scan: piece });

/** Consumes bytes without reading them and returns their number; fewer than requested only at the end of the file. */
export function* skipUpTo(bytes: number): Parser<number> {
  let left = bytes;
  yield scan((piece) => {
    const length = Math.min(left, piece.length);
    left -= length;
    return length;
  });
  return bytes - left;
}

/** Unsigned, big-endian. */
export const uint16 = (bytes: Uint8Array, at: number): number => (bytes[at]! << 8) | bytes[at + 1]!;
/** Unsigned, big-endian. */
export const uint32 = (bytes: Uint8Array, at: number): number => uint16(bytes, at) * 0x10000 + uint16(bytes, at + 2);
/** Unsigned, big-endian; exact below 2^53. */
export const uint64 = (bytes: Uint8Array, at: number): number => uint32(bytes, at) * 2 ** 32 + uint32(bytes, at + 4);
/** Unsigned, little-endian. */
export const uint16le = (bytes: Uint8Array, at: number): number => bytes[at]! | (bytes[at + 1]! << 8);
/** Unsigned, little-endian. */
export const uint32le = (bytes: Uint8Array, at: number): number =>
  uint16le(bytes, at) + uint16le(bytes, at + 2) * 0x10000;

/** The bytes as Latin-1 characters (0 to 255), for comparison with names. */
export function latin(bytes: Uint8Array, from: number, to: number): string {
  let characters = "";
  for (let at = from; at < to && at < bytes.length; at++) characters += String.fromCharCode(bytes[at]!);
  return characters;
}

/** Initial size of the buffer, sufficient for most files. */
const BUFFER_MIN = 512;
const NOTHING = new Uint8Array(0);

/**
 * Feeds a parser with the bytes of a file as they arrive. Buffers at most twice what the parser requests at once. What
 * follows after the parser has its result is counted and otherwise ignored, as players and viewers do.
 */
export class ByteDriver<T> implements Position {
  /** Bytes that the parser has consumed. */
  position = 0;
  readonly #parser: Parser<T>;
  #request: ByteRequest | undefined;
  #result: T | undefined;
  #written = 0;
  #ended = false;
  /** Bytes received but not yet consumed: first `#buffer`, then the rest of `#chunk`. */
  #buffer: Uint8Array = NOTHING;
  #bufferFrom = 0;
  #bufferTo = 0;
  #chunk: Uint8Array = NOTHING;
  #chunkFrom = 0;

  /** The parser is created with the position that it will read at. */
  constructor(createParser: (at: Position) => Parser<T>) {
    this.#parser = createParser(this);
    this.#resume(NOTHING);
  }

  /** The bytes are not retained after the call. Throws UnacceptableFileError. */
  write(chunk: Uint8Array): void {
    this.#written += chunk.length;
    this.#chunk = chunk;
    this.#chunkFrom = 0;
    this.#advance();
    // All of it was consumed or copied to the buffer; otherwise the parser would have continued.
    this.#chunk = NOTHING;
    this.#chunkFrom = 0;
  }

  /** Signals the end of the file. Throws UnacceptableFileError if the parser needs more. */
  end(): T {
    this.#ended = true;
    this.#advance();
    if (this.#result === undefined) throw new Error("A parser continues after the end of the file.");
    return this.#result;
  }

  #advance(): void {
    while (this.#request !== undefined) {
      const bytes = this.#serve(this.#request);
      if (bytes === undefined) return;
      this.#resume(bytes);
    }
  }

  #resume(bytes: Uint8Array): void {
    const next = this.#parser.next(bytes);
    if (next.done === true) {
      this.#result = next.value;
      this.#request = undefined;
      return;
    }
    this.#request = next.value;
  }

  /** The requested bytes; undefined if more must arrive first. */
  #serve(request: ByteRequest): Uint8Array | undefined {
    switch (request.kind) {
      case "take":
      case "peek": {
        const view = this.#view(request.bytes);
        if (view.length < request.bytes && !this.#ended) return undefined;
        if (request.kind === "peek") return view;
        if (view.length < request.bytes) throw truncated(this.#written);
        this.#move(request.bytes);
        return view;
      }
      case "skip": {
        const bytes = Math.min(request.bytes, this.#available);
        this.#move(bytes);
        request.bytes -= bytes;
        if (request.bytes === 0) return NOTHING;
        if (this.#ended) throw truncated(this.#written);
        return undefined;
      }
      case "scan":
        return this.#scan(request.scan);
    }
  }

  #scan(scan: (piece: Uint8Array) => number): Uint8Array | undefined {
    while (this.#available > 0) {
      const piece =
        this.#bufferFrom < this.#bufferTo
          ? this.#buffer.subarray(this.#bufferFrom, this.#bufferTo)
          : this.#chunk.subarray(this.#chunkFrom);
      const bytes = scan(piece);
      this.#move(bytes);
      if (bytes < piece.length) return NOTHING;
    }
    return this.#ended ? NOTHING : undefined;
  }

  get #available(): number {
    return this.#bufferTo - this.#bufferFrom + this.#chunk.length - this.#chunkFrom;
  }

  #move(bytes: number): void {
    this.position += bytes;
    const fromBuffer = Math.min(bytes, this.#bufferTo - this.#bufferFrom);
    this.#bufferFrom += fromBuffer;
    this.#chunkFrom += bytes - fromBuffer;
  }

  /** The next bytes in one piece, or fewer if fewer are available. */
  #view(bytes: number): Uint8Array {
    if (bytes > TAKE_MAX) throw new RangeError(`A parser requests ${bytes} bytes at once.`);
    if (this.#bufferFrom === this.#bufferTo && this.#chunk.length - this.#chunkFrom >= bytes) {
      return this.#chunk.subarray(this.#chunkFrom, this.#chunkFrom + bytes);
    }
    const missing = bytes - (this.#bufferTo - this.#bufferFrom);
    if (missing > 0) this.#append(missing);
    return this.#buffer.subarray(this.#bufferFrom, Math.min(this.#bufferTo, this.#bufferFrom + bytes));
  }

  /** Moves up to this many bytes of the chunk to the buffer. */
  #append(bytes: number): void {
    const piece = this.#chunk.subarray(this.#chunkFrom, this.#chunkFrom + bytes);
    if (piece.length === 0) return;
    if (this.#bufferTo + piece.length > this.#buffer.length) {
      const kept = this.#buffer.subarray(this.#bufferFrom, this.#bufferTo);
      const needed = kept.length + piece.length;
      if (2 * needed > this.#buffer.length) this.#buffer = new Uint8Array(Math.max(BUFFER_MIN, 2 * needed));
      this.#buffer.set(kept);
      this.#bufferFrom = 0;
      this.#bufferTo = kept.length;
    }
    this.#buffer.set(piece, this.#bufferTo);
    this.#bufferTo += piece.length;
    this.#chunkFrom += piece.length;
  }
}

function truncated(bytes: number): UnacceptableFileError {
  return new UnacceptableFileError(
    `The file ends too early, after ${bytes} bytes: a part of it is missing. Send the whole file again.`,
  );
}
