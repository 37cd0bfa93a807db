/** All documents of an erasure, from their numbers by collection. */
export function documentsIn(documents: Readonly<Record<string, number>>): number {
  return Object.values(documents).reduce((total, count) => total + count, 0);
}
