import type { PlatformName } from "../../records/insight.js";
import type { PostingRecord } from "../../records/posting.js";
import { type ListKind, type Property, SEPARATOR } from "../../records/summary.js";
import { polarityOf } from "./polarity.js";

const HOST = /^https?:\/\/(?:[^/?#@]*@)?(?:www\.)?([^/:?#]+)/i;

/** Values that are compared one by one, which is faster than a set of them. */
const FEW = 16;

const BREAK = new RegExp(`[\\r\\n${SEPARATOR}]`);
const BREAKS = new RegExp(`[\\s${SEPARATOR}]+`, "g");

/** The values of a posting that summaries count; empty if there is none. */
export function propertiesOf(posting: PostingRecord): Record<Property, string> {
  const { sentiment, intention, language, content, analysis } = posting;
  return {
    sentiment: sentiment ?? "",
    polarity: polarityOf(sentiment),
    intention: intention ?? "",
    spam: spamOf(analysis?.moreInfo.spam),
    language: language?.toLowerCase() ?? "",
    country: content.place?.countryCode?.toUpperCase() ?? "",
    type: content.type ?? "",
  };
}

/** The values that a posting adds to each list: words without case, authors as their platform writes them. */
export function listedOf({ platform, content, analysis }: PostingRecord): Record<ListKind, readonly string[]> {
  return {
    topics: distinct(analysis?.topics ?? []),
    hashtags: distinct((content.tags ?? []).map((tag) => tag.replace(/^[#＃]/u, ""))),
    authors: authorKeysOf(platform, content.author),
    labels: distinct(analysis?.labels ?? []),
    domains: domainOf(content.url),
  };
}

interface AuthorNames {
  id?: string;
  username?: string;
  name?: string;
}

/** An author is known by platform and id, else by the user name, else by the name; none without any of them. */
function authorKeysOf(platform: PlatformName, { id, username, name }: AuthorNames = {}): string[] {
  if (id) return [`${platform} i${inLine(id)}`];
  if (username) return [`${platform} u${inLine(username)}`];
  return name ? [`${platform} n${inLine(name)}`] : [];
}

/** What an author's key says of the author. */
export function authorOfKey(key: string): { platform: PlatformName; names: AuthorNames } {
  const space = key.indexOf(" ");
  const [platform, kind, value] = [key.slice(0, space), key.charAt(space + 1), key.slice(space + 2)];
  if (kind === "i") return { platform, names: { id: value } };
  return { platform, names: kind === "u" ? { username: value } : { name: value } };
}

function domainOf(url: string | undefined): string[] {
  const [, host] = url === undefined ? [] : (HOST.exec(url) ?? []);
  return host === undefined ? [] : [inLine(host.toLowerCase())];
}

function spamOf(result: unknown): string {
  if (typeof result !== "object" || result === null || !("value" in result)) return "";
  return typeof result.value === "string" ? result.value : "";
}

function distinct(values: readonly string[]): readonly string[] {
  if (values.length === 0) return values;
  if (values.length > FEW) return [...new Set(values.map(wordOf))].filter((value) => value !== "");
  const found: string[] = [];
  for (const each of values) {
    const value = wordOf(each);
    if (value !== "" && !found.includes(value)) found.push(value);
  }
  return found;
}

function wordOf(value: string): string {
  return inLine(value).toLowerCase();
}

/** Without line breaks and separators. */
function inLine(value: string): string {
  return BREAK.test(value) ? value.replace(BREAKS, " ").trim() : value;
}
