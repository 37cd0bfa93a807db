import type { Connector, Readiness } from "./platform.js";

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
  const readiness = readinessOf(platforms, name);
  return "connector" in readiness ? readiness.connector : undefined;
}
