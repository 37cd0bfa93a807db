import type { PlatformSearch } from "../connector.js";
import type { Source } from "../sources.js";

/** A page of Facebook that is followed. */
export interface FollowedPage extends Source {
  /** Its id or name. */
  readonly name: string;
}

/** The id or name of a page in one spelling, which is also that of its address; undefined if it is none. */
export function pageNameOf(text: string): string | undefined {
  const name = text.replace(/^https:\/\/(www\.)?facebook\.com\//i, "").replace(/\/$/, "");
  return /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/.test(name) ? name.toLowerCase() : undefined;
}

/** The pages of the server and those that the search names, each once. */
export function followedPages(
  { follow }: Pick<PlatformSearch, "follow">,
  serverPages: readonly string[],
): readonly FollowedPage[] {
  const named = follow.pages.flatMap((text) => pageNameOf(text) ?? []);
  const names = [...new Set([...serverPages, ...named])];
  return names.map((name) => ({
    key: name,
    name,
    label: `The page ${name}`,
    isOfServer: serverPages.includes(name),
  }));
}

/** Sentences about what the search names and is no page. */
export function wrongPages({ follow }: Pick<PlatformSearch, "follow">): string[] {
  const wrong = follow.pages.filter((text) => pageNameOf(text) === undefined);
  return wrong.map((text) => `${text} is no page. Give the id or the name that stands in the page's address.`);
}
