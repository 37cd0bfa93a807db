/** A sum that is exact at any size. It is kept as a number as long as one can be, since bigints take far longer to add. */
export class Sum {
  private whole = 0n;
  private part = 0;

  /** A safe integer. */
  add(count: number): void {
    const part = this.part + count;
    if (Number.isSafeInteger(part)) {
      this.part = part;
      return;
    }
    this.whole += BigInt(this.part) + BigInt(count);
    this.part = 0;
  }

  addLarge(count: bigint): void {
    this.whole += count;
  }

  /** As a decimal number. */
  toString(): string {
    return this.whole === 0n ? String(this.part) : String(this.whole + BigInt(this.part));
  }
}
