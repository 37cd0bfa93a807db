import type { SummaryBucket } from "../../records/summary.js";
import { LIST_KINDS } from "../../records/summary.js";
import { forEach, type Lists } from "../counting/tally.js";

/** Memory that all kept lists take at most, in bytes. */
const BYTES_MAX = 32 * 1024 * 1024;
/** Time after which lists are dropped that nobody has asked for again, in milliseconds. */
const UNUSED_MAX_MS = 10 * 60_000;

interface Kept {
  /** Of the buckets that were added up, in their order. */
  readonly revisions: readonly string[];
  readonly lists: Lists;
  readonly bytes: number;
  usedAt: number;
}

/**
 * The lists of long spans of time, as they were added up for the last summary: adding them up again takes most of the time
 * of a summary of a year. They are those of the buckets as long as all of these have the same revisions.
 */
export class KeptLists {
  /** The least recently used first. */
  private readonly all = new Map<string, Kept>();
  private bytes = 0;

  constructor(private readonly now: () => number) {}

  /** A copy of the lists of these buckets; undefined if they have changed or are not kept. */
  get(key: string, buckets: readonly SummaryBucket[]): Lists | undefined {
    this.dropUnused();
    const kept = this.all.get(key);
    if (kept === undefined) return undefined;
    this.drop(key);
    const { revisions } = kept;
    const isSame =
      revisions.length === buckets.length && buckets.every(({ revision }, index) => revision === revisions[index]);
    if (!isSame) return undefined;
    this.keep(key, kept);
    return copyOf(kept.lists);
  }

  /** Keeps a copy of lists in place of what was kept by that key. */
  set(key: string, buckets: readonly SummaryBucket[], lists: Lists): void {
    this.drop(key);
    const copy = copyOf(lists);
    const bytes = LIST_KINDS.reduce((sum, kind) => sum + copy[kind].bytes, 0);
    if (bytes > BYTES_MAX) return;
    this.keep(key, { revisions: buckets.map(({ revision }) => revision), lists: copy, bytes, usedAt: 0 });
    for (const [oldest] of this.all) {
      if (this.bytes <= BYTES_MAX) return;
      this.drop(oldest);
    }
  }

  private keep(key: string, kept: Kept): void {
    kept.usedAt = this.now();
    this.all.set(key, kept);
    this.bytes += kept.bytes;
  }

  private drop(key: string): void {
    this.bytes -= this.all.get(key)?.bytes ?? 0;
    this.all.delete(key);
  }

  private dropUnused(): void {
    const before = this.now() - UNUSED_MAX_MS;
    for (const [key, { usedAt }] of this.all) {
      if (usedAt > before) return;
      this.drop(key);
    }
  }
}

function copyOf(lists: Lists): Lists {
  return forEach(LIST_KINDS, (kind) => lists[kind].copy());
}
