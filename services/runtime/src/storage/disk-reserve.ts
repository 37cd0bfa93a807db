import { randomBytes } from "node:crypto";
import { open, rm, stat, truncate, statfs } from "node:fs/promises";
import path from "node:path";
import { WorkScope } from "../process/work-scope.js";

const RESERVE_FILE = "reserve";
const MIB = 1024 * 1024;
/** Enough for the log of a few large deletions, which is emptied between them. */
export const RESERVE_BYTES = 8 * MIB;
/** Given up piece by piece: other programs on the disk take what is free. */
const PIECE_BYTES = 2 * MIB;
/** Free bytes below which a disk counts as full: not even a record and its log find room. */
const FULL_BELOW_BYTES = 256 * 1024;
const RETRY_MS = 1000;

const deletions = new WorkScope<true>();

/** Runs work that deletes: while the disk is full, only its writes are made, with the room of the reserve. */
export function makingRoom<T>(work: () => Promise<T>): Promise<T> {
  return deletions.run(true, work);
}

/** Whether the current work deletes. */
export function isMakingRoom(): boolean {
  return deletions.value === true;
}

interface ReserveOptions {
  /** On the disk that is watched. */
  folder: string;
  bytes?: number;
  now?: () => number;
}

/**
 * A file that only takes room. A full disk has none left for the log of a deletion, so that nothing could be deleted to
 * make room; the reserve then gives its own. It is filled again once there is room, and until then all work other than
 * deletions is refused, because it would use up what the reserve has given.
 */
export class DiskReserve {
  private readonly file: string;
  private readonly folder: string;
  private readonly bytes: number;
  private readonly now: () => number;
  private left = 0;
  private given = false;
  private filling: Promise<boolean> | undefined;
  private failedAt = Number.NEGATIVE_INFINITY;

  private constructor({ folder, bytes = RESERVE_BYTES, now = () => performance.now() }: ReserveOptions) {
    this.folder = folder;
    this.file = path.join(folder, RESERVE_FILE);
    this.bytes = bytes;
    this.now = now;
  }

  /** Fills the reserve if the disk has room for it. */
  static async open(options: ReserveOptions): Promise<DiskReserve> {
    const reserve = new DiskReserve(options);
    reserve.left = await reserveOf(options.folder);
    await reserve.fill();
    return reserve;
  }

  /** Whether the reserve has given room and could not be filled again since. */
  async isInUse(): Promise<boolean> {
    return this.given && !(await this.fill());
  }

  /** Whether the disk has no room, or only what the reserve has given. */
  async isDiskFull(): Promise<boolean> {
    return (await this.isInUse()) || (await freeOn(this.folder)) < FULL_BELOW_BYTES;
  }

  /** Whether the reserve has given room; `isInUse` then says whether it still has to be filled. */
  get hasGiven(): boolean {
    return this.given;
  }

  /** Gives some room for a deletion; false if none is left. */
  async give(): Promise<boolean> {
    await this.filling;
    if (this.left === 0) return false;
    this.given = true;
    this.left = Math.max(0, this.left - PIECE_BYTES);
    // What has been given is not taken back at once.
    this.failedAt = this.now();
    await (this.left === 0 ? rm(this.file, { force: true }) : truncate(this.file, this.left));
    return true;
  }

  /** Fills the reserve if it is not whole and the disk has room, and resolves with whether it is whole. */
  async fill(): Promise<boolean> {
    if (this.left >= this.bytes) return true;
    if (this.now() - this.failedAt < RETRY_MS) return false;
    this.filling ??= this.write().finally(() => {
      this.filling = undefined;
    });
    return this.filling;
  }

  private async write(): Promise<boolean> {
    try {
      // As much again stays free, so that filling it does not make the disk full.
      const missing = this.bytes - this.left;
      if ((await freeOn(this.folder)) < missing + this.bytes) return this.hasNoRoom();
      // Random, so that no file system stores it in less room.
      const piece = randomBytes(MIB);
      const file = await open(this.file, "a", 0o600);
      try {
        for (let done = 0; done < missing; done += piece.length) await file.write(piece.subarray(0, missing - done));
      } finally {
        await file.close();
      }
      this.left = this.bytes;
      this.given = false;
      return true;
    } catch {
      // The disk filled up meanwhile, or the folder cannot be written: there is no reserve then.
      return this.hasNoRoom();
    }
  }

  private hasNoRoom(): false {
    this.failedAt = this.now();
    return false;
  }
}

/** Bytes of the reserve in a folder; 0 if there is none. */
export function reserveOf(folder: string): Promise<number> {
  return stat(path.join(folder, RESERVE_FILE)).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Bytes that a process may still write on the disk of a folder. */
export async function freeOn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
