import { clientNetwork, type Logger, type Principal } from "@hourglass/runtime";

/** One use of a token. */
interface Use {
  readonly principal: Pick<Principal, "companyId" | "key">;
  readonly clientAddress: string;
  readonly log: Pick<Logger, "warn">;
}

interface KeyAddressesOptions {
  /** Addresses of a key in an hour from which on the log names it. */
  many?: number;
  /** Addresses that are remembered of one key; more are not counted. */
  ofKeyMax?: number;
  /** Addresses that are remembered of all keys; beyond it, the keys that were used longest ago are forgotten. */
  max?: number;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
}

const HOUR_MS = 60 * 60_000;
/** More than a team has, and than a program has that runs in a few places. HourglassKeyFromManyPlaces has the same number. */
const MANY = 20;
const OF_KEY_MAX = 200;
const MAX = 50_000;

/** What is known of a key. */
interface Known {
  /** When each address was last seen, oldest first. */
  readonly seenAt: Map<string, number>;
  toldAt: number;
}

/**
 * From how many addresses each API key was used within an hour, here: a key that has leaked is used from many. An address is
 * an IPv4 address or an IPv6 /64, as in the limits of sign-in. Memory is bounded, whatever clients do.
 */
export class KeyAddresses {
  /** By id of the key; the one used last comes last. */
  private readonly keys = new Map<number, Known>();
  private total = 0;
  private readonly many: number;
  private readonly ofKeyMax: number;
  private readonly max: number;
  private readonly now: () => number;

  constructor({
    many = MANY,
    ofKeyMax = OF_KEY_MAX,
    max = MAX,
    now = () => performance.now(),
  }: KeyAddressesOptions = {}) {
    this.many = many;
    this.ofKeyMax = ofKeyMax;
    this.max = max;
    this.now = now;
  }

  /** Counts a use of a key; others are ignored. The log names a key with many addresses, once an hour. */
  note({ principal: { key, companyId }, clientAddress, log }: Use): void {
    if (key === undefined || clientAddress === "") return;
    const known = this.keys.get(key.id) ?? { seenAt: new Map<string, number>(), toldAt: -Infinity };
    this.keys.delete(key.id);
    this.keys.set(key.id, known);
    const now = this.now();
    this.forgetOld(known, now);
    const network = clientNetwork(clientAddress);
    if (known.seenAt.delete(network)) this.total -= 1;
    if (known.seenAt.size < this.ofKeyMax) {
      known.seenAt.set(network, now);
      this.total += 1;
    }
    this.forgetKeys();
    const addresses = known.seenAt.size;
    if (addresses <= this.many || now - known.toldAt < HOUR_MS) return;
    known.toldAt = now;
    log.warn({ key_id: key.id, companyId, addresses }, "an API key is used from many addresses");
  }

  /** The largest number of addresses that one key was used from within the last hour. */
  largest(): number {
    const now = this.now();
    let largest = 0;
    for (const [id, known] of this.keys) {
      this.forgetOld(known, now);
      if (known.seenAt.size === 0) this.keys.delete(id);
      largest = Math.max(largest, known.seenAt.size);
    }
    return largest;
  }

  /** Forgets addresses that were last seen over an hour ago. */
  private forgetOld({ seenAt }: Known, now: number): void {
    for (const [network, at] of seenAt) {
      if (now - at < HOUR_MS) return;
      seenAt.delete(network);
      this.total -= 1;
    }
  }

  private forgetKeys(): void {
    for (const [id, { seenAt }] of this.keys) {
      if (this.total <= this.max || this.keys.size === 1) return;
      this.keys.delete(id);
      this.total -= seenAt.size;
    }
  }
}
