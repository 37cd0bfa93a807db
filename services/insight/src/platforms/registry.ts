import { platformNames } from "@hourglass/posting";
import type { Variables } from "@hourglass/runtime";
import { BLUESKY } from "./bluesky/index.js";
import type { Connector, PlatformDeps, PlatformModule, PlatformValues, Readiness } from "./connector.js";
import { FACEBOOK } from "./facebook/index.js";
import { INSTAGRAM } from "./instagram/index.js";
import { LINKEDIN } from "./linkedin/index.js";
import { MASTODON } from "./mastodon/index.js";
import { NEWS } from "./news/index.js";
import { REDDIT } from "./reddit/index.js";
import { TIKTOK } from "./tiktok/index.js";
import { TWITTER } from "./twitter/index.js";
import { YOUTUBE_COMMENTS, YOUTUBE_VIDEOS } from "./youtube/index.js";

/** The platforms, one folder each: those of the interface, and those that a server may have beside them. */
export const MODULES: readonly PlatformModule[] = [
  BLUESKY,
  FACEBOOK,
  INSTAGRAM,
  LINKEDIN,
  MASTODON,
  NEWS,
  REDDIT,
  TIKTOK,
  TWITTER,
  YOUTUBE_COMMENTS,
  YOUTUBE_VIDEOS,
];

/**
 * Opens every platform of this server: those of the interface, and `extra` ones. A platform without its settings is no
 * failure: its readiness says what is missing.
 */
export async function openPlatforms(
  deps: PlatformDeps,
  values: PlatformValues,
  extra: readonly string[] = [],
): Promise<Platforms> {
  const opened = platformNames(extra).map(async (name): Promise<readonly [string, Readiness]> => {
    const module = BY_NAME.get(name);
    return [
      name,
      module === undefined ? { missing: "This server lacks the platform." } : await module.open(deps, values),
    ];
  });
  return new Map(await Promise.all(opened));
}

const BY_NAME = new Map(MODULES.map((module) => [module.name, module]));

/** The id of the posting that a URL shows on a platform; undefined if the URL does not contain it. */
export function socialIdIn(platform: string, url: string): string | undefined {
  return URL.canParse(url) ? BY_NAME.get(platform)?.socialIdIn(new URL(url)) : undefined;
}

/** The addresses of platforms that the operator sets. */
export function originsOfPlatforms(values: PlatformValues): string[] {
  return MODULES.flatMap((module) => module.origins(values));
}

/** The variables of all platforms by name. */
export const PLATFORM_VARIABLES: Variables = Object.fromEntries(
  MODULES.flatMap(({ variables }) => Object.entries(variables)),
);

/** Whether each platform of the interface can collect on this server, and if not, what to do about it. */
export type Platforms = ReadonlyMap<string, Readiness>;

/** The readiness of a platform of the interface. Throws RangeError for another name. */
export function readinessOf(platforms: Platforms, name: string): Readiness {
  const readiness = platforms.get(name);
  if (readiness === undefined) throw new RangeError(`Not a platform: ${name}`);
  return readiness;
}

/** Like readinessOf, for a platform that this server may no longer have. */
export function readinessNow(platforms: Platforms, name: string): Readiness {
  return platforms.get(name) ?? { missing: "This server lacks the platform." };
}

/** What this server lacks to collect from a platform; undefined if it can. */
export function missingFor(platforms: Platforms, name: string): string | undefined {
  const readiness = readinessNow(platforms, name);
  return "missing" in readiness ? readiness.missing : undefined;
}

/** The platforms whose connectors are `located`. */
const LOCATED: ReadonlySet<string> = new Set(["twitter", "youtube-videos", "youtube-comments"]);

/** Whether the location of a search has an effect on a platform, or will have one once it is configured. */
export function isLocated(platforms: Platforms, name: string): boolean {
  const connector = connectorOf(platforms, name);
  return connector === undefined ? LOCATED.has(name) : connector.located === true;
}

/** Undefined if the platform cannot collect. */
export function connectorOf(platforms: Platforms, name: string): Connector | undefined {
  const readiness = readinessNow(platforms, name);
  return "connector" in readiness ? readiness.connector : undefined;
}
