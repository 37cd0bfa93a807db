import type { PostingPlace, PostingRecord } from "./records.js";

/** Postings by time; those of equal time by their ids on the platform, and those without one first. Indexes serve it. */
export function postingOrder<T extends "listedAt" | "postedAt">(
  time: T,
  direction: 1 | -1 = 1,
): readonly [readonly [T, 1 | -1], readonly ["socialId", 1 | -1], readonly ["id", 1 | -1]] {
  return [
    [time, direction],
    ["socialId", direction],
    ["id", direction],
  ];
}

/** The place in a list before all postings of a time. */
export function placeBefore(time: number, { ascending }: { ascending: boolean }): PostingPlace {
  return { listedAt: ascending ? time : time + 1, socialId: null, id: "" };
}

/** Above 0: of two postings of equal time, the one comes after the other. As stores compare: byte by byte, null first. */
export function compareIds(
  one: Pick<PostingRecord, "socialId" | "id">,
  other: Pick<PostingRecord, "socialId" | "id">,
): number {
  if (one.socialId === null || other.socialId === null) {
    const absent = Number(one.socialId !== null) - Number(other.socialId !== null);
    return absent || compareTexts(one.id, other.id);
  }
  return compareTexts(one.socialId, other.socialId) || compareTexts(one.id, other.id);
}

function compareTexts(one: string, other: string): number {
  return one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other));
}
