import { PlatformSchema, type Platform } from "@hourglass/proto/insight/v1/platform";
import { spellingsEverywhere, variable } from "@hourglass/runtime";
import { Spelling } from "@hourglass/runtime/json";
import { wrong, type Read } from "./json-reader.js";

/** The names of the platforms in JSON. */
export const PLATFORM = new Spelling(PlatformSchema);

/** The platforms of every server. */
const EVERYWHERE: readonly string[] = spellingsEverywhere(PlatformSchema);
const EXTRA = PLATFORM.names.filter((name) => !EVERYWHERE.includes(name));

/** The variables of the platforms that only some servers have; the gateway and Insight read them alike. */
export const EXTRA_PLATFORM_VARIABLES = {
  EXTRA_PLATFORMS: variable.entries(
    (entry) => EXTRA.find((name) => name === entry),
    `some of ${EXTRA.join(",")}, with commas between, or none`,
    [],
    "none",
  ),
};

/** The platforms of a server, in the order of the proto enum. */
export function platformNames(extra: readonly string[] = []): readonly string[] {
  return PLATFORM.names.filter((name) => EVERYWHERE.includes(name) || extra.includes(name));
}

/** What to do about a posting of a platform that its search does not have. */
export function givePlatformOf(search: readonly string[]): string {
  return `Give a platform of the search: ${search.join(", ")}.`;
}

/** Reads a platform of a search. */
export function platformOf(search: readonly Platform[]): Read<Platform> {
  const message = givePlatformOf(PLATFORM.all(search));
  return (value, path, violations) => {
    const platform = typeof value === "string" ? PLATFORM.numberOf(value) : undefined;
    return platform !== undefined && search.includes(platform) ? platform : wrong(violations, path, message);
  };
}
