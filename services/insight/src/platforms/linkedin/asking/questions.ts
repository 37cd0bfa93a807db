import type { LinkedinQuestion } from "./linkedin-api.js";

/** Posts of one request: the URNs of a page must fit into one URL of the requests for their counts. */
export const POSTS_MAX = 40;

/** The URN of an organisation. */
export function urnOf(organisation: string): string {
  return `urn:li:organization:${organisation}`;
}

/** Which organisations the member administers. */
export function administered(): LinkedinQuestion {
  return { path: "/organizationAcls?q=roleAssignee&role=ADMINISTRATOR&state=APPROVED", method: "FINDER" };
}

/** The posts of an organisation, those that were changed last first. */
export function postsOf(organisation: string, start: number): LinkedinQuestion {
  const author = encodeURIComponent(urnOf(organisation));
  return {
    path: `/posts?q=author&author=${author}&count=${POSTS_MAX}&start=${start}&sortBy=LAST_MODIFIED`,
    method: "FINDER",
  };
}

/** Reactions and comments of posts. */
export function metadataOf(urns: readonly string[]): LinkedinQuestion {
  return { path: `/socialMetadata?ids=${listOf(urns)}`, method: "BATCH_GET" };
}

/** How often posts of an organisation were shared. */
export function statisticsOf(organisation: string, urns: readonly string[]): LinkedinQuestion {
  const lists = (["share", "ugcPost"] as const).flatMap((kind) => {
    const own = urns.filter((urn) => urn.startsWith(`urn:li:${kind}:`));
    return own.length === 0 ? [] : [`&${kind}s=${listOf(own)}`];
  });
  const entity = encodeURIComponent(urnOf(organisation));
  const path = `/organizationalEntityShareStatistics?q=organizationalEntity&organizationalEntity=${entity}${lists.join("")}`;
  return { path, method: "FINDER" };
}

/** The names of an organisation. */
export function namesOf(organisation: string): LinkedinQuestion {
  return { path: `/organizations/${organisation}` };
}

/** Commas and parentheses of a list are Rest.li's own. */
function listOf(urns: readonly string[]): string {
  return `List(${urns.map(encodeURIComponent).join(",")})`;
}
