/** What programs want to know of a record, as pairs by key: a store may not keep every text as the name of a field. */
export type Metadata = [key: string, value: string][];

/** The pairs of a map, whose order is that of whatever encoded it. */
export function metadataOf(map: Readonly<Record<string, string>>): Metadata {
  return Object.entries(map).sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Whether a record has all of the wanted pairs. */
export function hasMetadata(metadata: Readonly<Metadata> | undefined, wanted: Readonly<Metadata>): boolean {
  if (wanted.length === 0) return true;
  const own = new Map(metadata);
  return wanted.every(([key, value]) => own.get(key) === value);
}
