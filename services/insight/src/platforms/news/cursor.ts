import type { Json } from "@hourglass/runtime";

/** Where a search stands: the number of the last item that it has read, by id of the feed. */
export interface Position {
  /** Oldest time of posting that the search wants, in milliseconds since the epoch, fixed by its first poll. */
  readonly since: number;
  readonly read: Readonly<Record<string, number>>;
}

/** The position that `toJson` wrote; undefined for null and for what it did not write. */
export function positionOf(json: Json): Position | undefined {
  if (json === null || typeof json !== "object" || Array.isArray(json)) return undefined;
  const { since, read = null } = json;
  if (typeof since !== "number" || read === null || typeof read !== "object" || Array.isArray(read)) return undefined;
  const numbers = Object.entries(read).filter((entry): entry is [string, number] => typeof entry[1] === "number");
  return { since, read: Object.fromEntries(numbers) };
}

export function toJson({ since, read }: Position): Json {
  return { since, read: { ...read } };
}
