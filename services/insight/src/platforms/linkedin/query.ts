import type { PlatformSearch } from "../connector.js";
import type { Source } from "../sources.js";

/** An organization that is followed. */
export interface FollowedOrganization extends Source {
  /** Digits. */
  readonly id: string;
}

/** The id of an organization, of its URN, or of its address if that states it; undefined if the text is none. */
export function organizationIdOf(text: string): string | undefined {
  return /^(?:urn:li:organization:|https:\/\/(?:www\.)?linkedin\.com\/company\/)?(\d{1,19})\/?$/.exec(text)?.[1];
}

/** The organizations of the server and those that the search names, each once. */
export function followedOrganizations(
  { follow }: Pick<PlatformSearch, "follow">,
  serverIds: readonly string[],
): readonly FollowedOrganization[] {
  const named = follow.organisations.flatMap((text) => organizationIdOf(text) ?? []);
  const ids = [...new Set([...serverIds, ...named])];
  return ids.map((id) => ({ key: id, id, label: `The organization ${id}`, isOfServer: serverIds.includes(id) }));
}

/** Sentences about what the search names and is no organization. */
export function wrongOrganizations({ follow }: Pick<PlatformSearch, "follow">): string[] {
  const wrong = follow.organisations.filter((text) => organizationIdOf(text) === undefined);
  return wrong.map(
    (text) => `${text} is no organization. Give the number that stands in the address of its administration page.`,
  );
}
