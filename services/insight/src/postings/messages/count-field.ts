const NAMES = new Map<string, string>();

/** The field of the `Counts` message for a count: `like_count` is `likeCount`. */
export function countField(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The count of a field of the `Counts` message. There are few, so each name is derived once. */
export function countName(field: string): string {
  let name = NAMES.get(field);
  if (name === undefined) {
    name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    NAMES.set(field, name);
  }
  return name;
}
