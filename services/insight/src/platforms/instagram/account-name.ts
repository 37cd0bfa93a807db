/** The name of an account in one spelling; undefined if it is none. */
export function accountNameOf(text: string): string | undefined {
  const name = text.replace(/^https:\/\/(www\.)?instagram\.com\//i, "").replace(/^@|\/$/g, "");
  return /^[A-Za-z0-9_][A-Za-z0-9_.]{0,29}$/.test(name) ? name.toLowerCase() : undefined;
}
