import { TAKE_MAX, type Position, type Reading, type Want } from "./byte-reading.js";
import { UnacceptableFileError } from "./media-facts.js";
import { mebibytes } from "./sentences.js";

/** Initial size of the buffer, sufficient for most files. */
const HELD_MIN = 512;
const NOTHING = new Uint8Array(0);

/**
 * Feeds a parser with the bytes of a file as they arrive. Buffers at most twice what the parser requests at once. What
 * follows after the parser has its result is counted and otherwise ignored, as players and viewers do.
 */
export class ByteDriver<T> implements Position {
  /** Bytes that the parser has consumed. */
  position = 0;
  readonly #parser: Reading<T>;
  readonly #sizeBytesMax: number;
  #want: Want | undefined;
  #result: T | undefined;
  #written = 0;
  #ended = false;
  /** Bytes received but not yet consumed: first `#held`, then the rest of `#chunk`. */
  #held: Uint8Array = NOTHING;
  #heldFrom = 0;
  #heldTo = 0;
  #chunk: Uint8Array = NOTHING;
  #chunkFrom = 0;

  /** The parser is created with the position that it will read at. */
  constructor(createParser: (at: Position) => Reading<T>, sizeBytesMax: number) {
    this.#parser = createParser(this);
    this.#sizeBytesMax = sizeBytesMax;
    this.#resume(NOTHING);
  }

  /** The bytes are not retained after the call. Throws UnacceptableFileError. */
  write(chunk: Uint8Array): void {
    this.#written += chunk.length;
    if (this.#written > this.#sizeBytesMax) {
      throw new UnacceptableFileError(
        `The file is larger than ${mebibytes(this.#sizeBytesMax)}, which is the most allowed.`,
      );
    }
    this.#chunk = chunk;
    this.#chunkFrom = 0;
    this.#advance();
    // All of it was consumed or copied to the held bytes; otherwise the parser would have continued.
    this.#chunk = NOTHING;
    this.#chunkFrom = 0;
  }

  /** Signals the end of the file. Throws UnacceptableFileError if the parser needs more. */
  end(): { result: T; sizeBytes: number } {
    this.#ended = true;
    this.#advance();
    if (this.#result === undefined) throw new Error("A parser goes on behind the end of the file.");
    return { result: this.#result, sizeBytes: this.#written };
  }

  #advance(): void {
    while (this.#want !== undefined) {
      const answer = this.#answer(this.#want);
      if (answer === undefined) return;
      this.#resume(answer);
    }
  }

  #resume(answer: Uint8Array): void {
    const next = this.#parser.next(answer);
    if (next.done === true) {
      this.#result = next.value;
      this.#want = undefined;
      return;
    }
    this.#want = next.value;
    if (this.#want.kind === "peek") return;
    const end = this.position + this.#want.bytes;
    if (end <= this.#sizeBytesMax) return;
    throw new UnacceptableFileError(
      `A part of the file says that it goes on to byte ${end}, but files may have at most ${mebibytes(this.#sizeBytesMax)}.`,
    );
  }

  /** The answer, or undefined if more bytes must arrive first. */
  #answer(want: Want): Uint8Array | undefined {
    switch (want.kind) {
      case "take":
      case "peek": {
        const view = this.#view(want.bytes);
        if (view.length < want.bytes && !this.#ended) return undefined;
        if (want.kind === "peek") return view;
        if (view.length < want.bytes) throw truncated(this.#written);
        this.#move(want.bytes);
        return view;
      }
      case "skip": {
        const bytes = Math.min(want.bytes, this.#available);
        this.#move(bytes);
        want.bytes -= bytes;
        if (want.bytes === 0) return NOTHING;
        if (this.#ended) throw truncated(this.#written);
        return undefined;
      }
      case "scan":
        return this.#scan(want.scan);
    }
  }

  #scan(scan: (piece: Uint8Array) => number): Uint8Array | undefined {
    while (this.#available > 0) {
      const piece =
        this.#heldFrom < this.#heldTo
          ? this.#held.subarray(this.#heldFrom, this.#heldTo)
          : this.#chunk.subarray(this.#chunkFrom);
      const bytes = scan(piece);
      this.#move(bytes);
      if (bytes < piece.length) return NOTHING;
    }
    return this.#ended ? NOTHING : undefined;
  }

  get #available(): number {
    return this.#heldTo - this.#heldFrom + this.#chunk.length - this.#chunkFrom;
  }

  #move(bytes: number): void {
    this.position += bytes;
    const fromHeld = Math.min(bytes, this.#heldTo - this.#heldFrom);
    this.#heldFrom += fromHeld;
    this.#chunkFrom += bytes - fromHeld;
  }

  /** The next bytes in one piece, or fewer if fewer are available. */
  #view(bytes: number): Uint8Array {
    if (bytes > TAKE_MAX) throw new RangeError(`A parser wants ${bytes} bytes at once.`);
    if (this.#heldFrom === this.#heldTo && this.#chunk.length - this.#chunkFrom >= bytes) {
      return this.#chunk.subarray(this.#chunkFrom, this.#chunkFrom + bytes);
    }
    const missing = bytes - (this.#heldTo - this.#heldFrom);
    if (missing > 0) this.#append(missing);
    return this.#held.subarray(this.#heldFrom, Math.min(this.#heldTo, this.#heldFrom + bytes));
  }

  /** Moves up to this many bytes of the chunk to the held bytes. */
  #append(bytes: number): void {
    const piece = this.#chunk.subarray(this.#chunkFrom, this.#chunkFrom + bytes);
    if (piece.length === 0) return;
    if (this.#heldTo + piece.length > this.#held.length) {
      const kept = this.#held.subarray(this.#heldFrom, this.#heldTo);
      const needed = kept.length + piece.length;
      if (2 * needed > this.#held.length) this.#held = new Uint8Array(Math.max(HELD_MIN, 2 * needed));
      this.#held.set(kept);
      this.#heldFrom = 0;
      this.#heldTo = kept.length;
    }
    this.#held.set(piece, this.#heldTo);
    this.#heldTo += piece.length;
    this.#chunkFrom += piece.length;
  }
}

function truncated(bytes: number): UnacceptableFileError {
  return new UnacceptableFileError(
    `The file ends too early, after ${bytes} bytes: a part of it is missing. Send the whole file again.`,
  );
}
