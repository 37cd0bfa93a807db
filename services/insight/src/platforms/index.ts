import { platformNames } from "@hourglass/posting";
import { BLUESKY } from "./bluesky/index.js";
import { FACEBOOK } from "./facebook/index.js";
import { INSTAGRAM } from "./instagram/index.js";
import { LINKEDIN } from "./linkedin/index.js";
import { MASTODON } from "./mastodon/index.js";
import { NEWS } from "./news/index.js";
import { REDDIT } from "./reddit/index.js";
import { TIKTOK } from "./tiktok/index.js";
import { TWITTER } from "./twitter/index.js";
import { YOUTUBE_COMMENTS } from "./youtube-comments/index.js";
import { YOUTUBE_VIDEOS } from "./youtube-videos/index.js";
import type { PlatformDeps, PlatformModule, PlatformValues, Readiness } from "./port/platform.js";
import type { Platforms } from "./port/platforms.js";

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
