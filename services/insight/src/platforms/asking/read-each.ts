/** The items of a page that could be read. */
export interface ReadItems<T> {
  readonly items: readonly T[];
  /** How many could not. */
  readonly skipped: number;
}

/** Reads each item of a list by itself, so that a bad one does not spoil the page. No list, such as `{}`, has no items. */
export function readEach<T>(list: unknown, read: (item: unknown) => T | undefined): ReadItems<T> {
  if (!Array.isArray(list)) return { items: [], skipped: 0 };
  const items = list.map(read).filter((item) => item !== undefined);
  return { items, skipped: list.length - items.length };
}
