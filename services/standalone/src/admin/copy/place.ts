import path from "node:path";
import type { ProcessConfig } from "@hourglass/runtime";
import { UsageError } from "../../usage-error.js";

/** Where a storage is: a data folder (absolute path) or a database of MongoDB. */
export type Place = { folder: string } | { url: string };

/** The storage that the servers use. */
export function configuredPlace({ dataDir, mongodbUrl }: Pick<ProcessConfig, "dataDir" | "mongodbUrl">): Place {
  return mongodbUrl === undefined ? { folder: path.resolve(dataDir) } : { url: mongodbUrl };
}

/** The storage that an operator has named. Throws UsageError. */
export function namedPlace(text: string): Place {
  if (/^mongodb(\+srv)?:\/\//.test(text)) return { url: text };
  if (text === "" || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    throw new UsageError("Give --to the URL of a MongoDB database (mongodb://…) or a new folder.");
  }
  return { folder: path.resolve(text) };
}

/** Throws UsageError for a folder inside of the other. */
export function mustBeApart(source: Place, target: Place): void {
  if (!("folder" in source) || !("folder" in target)) return;
  const [first] = path.relative(source.folder, target.folder).split(path.sep);
  if (first !== "..") throw new UsageError(`Give --to a folder outside of the data folder ${source.folder}.`);
}

/** The place for people, without password and options. */
export function nameOf(place: Place): string {
  if ("folder" in place) return place.folder;
  return place.url.replace(/\?.*$/s, "").replace(/\/\/.*@/s, "//");
}
