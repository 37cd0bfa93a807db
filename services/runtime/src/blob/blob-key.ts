const KEY = /^[a-z0-9_-]+(\/[a-z0-9_-]+)*$/;
const KEY_MAX = 200;

/** Throws TypeError for an invalid blob key. */
export function mustBeKey(key: string): void {
  if (key.length > KEY_MAX || !KEY.test(key)) throw new TypeError(`Not a key of a blob: ${JSON.stringify(key)}`);
}
