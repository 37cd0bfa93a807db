const CHARACTERS_MAX = 2048;

/** The URL of a feed in one spelling; undefined if it is none of the web. */
export function webFeedUrl(text: string): string | undefined {
  return feedUrl(text, ["https:", "http:"]);
}

/** Also the URL of a file, which only the operator may name. */
export function operatorFeedUrl(text: string): string | undefined {
  return feedUrl(text, ["https:", "http:", "file:"]);
}

/** A feed as users see it: of a file they see the name only. */
export function readerNameOf(url: string): string {
  return url.startsWith("file:") ? `file:${url.slice(url.lastIndexOf("/") + 1)}` : url;
}

function feedUrl(text: string, protocols: readonly string[]): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > CHARACTERS_MAX || !URL.canParse(trimmed)) return undefined;
  const url = new URL(trimmed);
  url.hash = "";
  return protocols.includes(url.protocol) ? url.href : undefined;
}
