/** A body that was sent, and what belongs to it. */
export interface KeptBody {
  readonly body: Uint8Array;
}

/** An entry takes about this much memory besides its body. */
const ENTRY_BYTES = 512;

/** A body that takes a larger part of all than this one is not kept. */
const LARGE_SHARE = 16;

/** Bodies that were sent lately, within so many bytes: those that nobody has asked for longest make room. */
export class KeptBodies<K, B extends KeptBody> {
  private readonly kept = new Map<K, B>();
  private bytes = 0;

  constructor(private readonly bytesMax: number) {}

  get(key: K): B | undefined {
    const found = this.kept.get(key);
    if (found === undefined) return undefined;
    this.kept.delete(key); // moves it to the end
    this.kept.set(key, found);
    return found;
  }

  set(key: K, value: B): void {
    const known = this.kept.get(key);
    if (known !== undefined) this.delete(key, known);
    if (sizeOf(value) > this.bytesMax / LARGE_SHARE) return;
    this.kept.set(key, value);
    this.bytes += sizeOf(value);
    for (const [oldest, body] of this.kept) {
      if (this.bytes <= this.bytesMax) return;
      this.delete(oldest, body);
    }
  }

  /** Forgets this body, unless another has taken its place. */
  delete(key: K, value: B): void {
    if (this.kept.get(key) !== value) return;
    this.kept.delete(key);
    this.bytes -= sizeOf(value);
  }
}

function sizeOf({ body }: KeptBody): number {
  return body.byteLength + ENTRY_BYTES;
}
