import { POSTING_FIELDS } from "./fields.js";

const HOLDER = /^(?:place|counts|author)\./;
const MEDIUM = /^media\[(\d+)\]\.url$/;

/** Keys of fields that the contract and JSON name differently, by the name of the contract. */
const RENAMED = new Map(
  POSTING_FIELDS.filter(({ key, field, index }) => index === undefined && key !== field.name)
    .reverse() // of several keys of one field, the first
    .map(({ key, field }) => [field.name, key]),
);

/** Rewrites the path of a field of a posting from the contract to JSON: `counts.like_count` is `like_count`. */
export function toJsonPath(path: string): string {
  const name = path.replace(HOLDER, "").replace(MEDIUM, "media_urls[$1]");
  return RENAMED.get(name) ?? name.replace(/^media\b/, "media_urls");
}
