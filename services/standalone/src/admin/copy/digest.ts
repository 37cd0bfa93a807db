import { createHash } from "node:crypto";

const MODULUS = 1n << 256n;

/**
 * Count and checksum of a set. The checksum is the sum of the SHA-256 hashes of the members, so that it does not depend
 * on the order in which a storage returns them.
 */
export class Digest {
  #count = 0;
  #sum = 0n;

  get count(): number {
    return this.#count;
  }

  /** 64 hexadecimal digits. */
  get checksum(): string {
    return this.#sum.toString(16).padStart(64, "0");
  }

  add(member: string): void {
    this.#count += 1;
    this.#sum = (this.#sum + BigInt(`0x${createHash("sha256").update(member).digest("hex")}`)) % MODULUS;
  }

  equals(other: Digest): boolean {
    return this.count === other.count && this.checksum === other.checksum;
  }
}

/** A value as JSON with the fields of each object in order, so that it is the same however a storage keeps it. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    const fields = Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1));
    // Fields whose names are whole numbers come first in any object, whatever the order of entries.
    return Object.fromEntries(fields) as unknown;
  });
}

/** SHA-256 of a stream of bytes, in hexadecimal. */
export async function hashOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of bytes) hash.update(part);
  return hash.digest("hex");
}
