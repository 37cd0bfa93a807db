/** The fields that have a value: neither undefined nor null. */
export function present<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const set: { [K in keyof T]?: NonNullable<T[K]> } = {};
  // Not by entries: an import calls it for each posting and its parts.
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined && value !== null) set[key] = value;
  }
  return set;
}
