/** The address of a link of others, if following it is harmless: `javascript:` and its like are no addresses. */
export function httpUrl(text: string | null): string | undefined {
  if (text === null || text.length > 4096) return undefined;
  try {
    const { protocol, href } = new URL(text);
    return protocol === "http:" || protocol === "https:" ? href : undefined;
  } catch {
    return undefined;
  }
}
