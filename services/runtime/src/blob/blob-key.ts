const KEY = /^[a-z0-9_-]+(\/[a-z0-9_-]+)*$/;
const KEY_MAX = 200;

/** Throws TypeError for an invalid blob key. */
export function mustBeKey(key: string): void {
  if (!isKey(key)) throw new TypeError(`Not a key of a blob: ${JSON.stringify(key)}`);
}

export function isKey(text: string): boolean {
  return text.length <= KEY_MAX && KEY.test(text);
}
