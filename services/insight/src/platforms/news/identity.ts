import { createHash } from "node:crypto";
import { canonicalUrl } from "@hourglass/posting/addresses";

/** What identifies an entry, as the feed states it. */
interface Identifiable {
  readonly guid: string | undefined;
  /** Absolute URL. */
  readonly link: string | undefined;
  readonly title: string;
  /** As the feed spells it. */
  readonly date: string;
}

/** The identity of an entry. */
export interface Identity {
  readonly id: string;
  /** Whether no other feed can use the same id: it is a URI or a UUID. */
  readonly isGlobal: boolean;
}

const URI = /^[a-z][a-z0-9+.-]*:/i;
const UUID = /^\{?[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\}?$/i;
/** Longer ids are replaced by their digest. */
const CHARACTERS_MAX = 1000;

/**
 * The identity of each entry of one page: its guid, else its link, else a digest of title and date. What stands on
 * entries with different links or titles identifies none of them. Entries with the same identity are the same entry.
 */
export function identitiesOf(entries: readonly Identifiable[]): Identity[] {
  const guids = new Ambiguous();
  const links = new Ambiguous();
  for (const entry of entries) {
    const meaning = digestOf(entry);
    guids.add(entry.guid, `${meaning} ${entry.link ?? ""}`);
    links.add(entry.link, meaning);
  }
  return entries.map((entry) => {
    if (entry.guid !== undefined && !guids.has(entry.guid)) return identity(entry.guid);
    if (entry.link !== undefined && !links.has(entry.link)) return identity(entry.link);
    return { id: digestOf(entry), isGlobal: false };
  });
}

/** A digest as an id: 32 hexadecimal digits. */
export function digest(...texts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, 32);
}

/**
 * The id of an article that is known by its address only: 32 hexadecimal digits of the SHA-256 of the address, in one
 * spelling.
 */
export function articleIdOf(url: string): string {
  return createHash("sha256").update(canonicalUrl(url)).digest("hex").slice(0, 32);
}

/** Parameters of an address by which publishers count where readers come from. */
const TRACKING =
  /^(?:utm_\w+|at_(?:medium|campaign|format|link\w*)|(?:fb|g|dc|y|tw)clid|msclkid|mc_[ce]id|igshid|cmpid|xtor|wt_mc|maca)(?:=|$)/i;

/**
 * What stays of an id when its publisher changes how it is written: for an address, apart from its scheme, a slash at its
 * end, what counts readers, and the number of the version that some put after the address of the page (`link`).
 */
export function lastingIdOf(id: string, link: string | undefined): string {
  if (!/^https?:/i.test(id) || !URL.canParse(id)) return id;
  const address = addressOf(id);
  const page = address.replace(/#\d+$/, "");
  return link !== undefined && URL.canParse(link) && addressOf(link) === page ? page : address;
}

function addressOf(url: string): string {
  const { host, pathname, search, hash } = new URL(canonicalUrl(url));
  const parameters = search
    .slice(1)
    .split("&")
    .filter((parameter) => parameter !== "" && !TRACKING.test(parameter));
  const query = parameters.length === 0 ? "" : `?${parameters.join("&")}`;
  return `https://${host}${pathname.replace(/\/+$/, "")}${query}${hash}`;
}

function digestOf({ title, date }: Identifiable): string {
  return digest(title, date);
}

function identity(text: string): Identity {
  const id = text.length <= CHARACTERS_MAX ? text : digest(text);
  return { id, isGlobal: URI.test(text) || UUID.test(text) };
}

/** Texts that stand for more than one thing. */
class Ambiguous {
  private readonly meanings = new Map<string, string>();
  private readonly texts = new Set<string>();

  add(text: string | undefined, meaning: string): void {
    if (text === undefined) return;
    const known = this.meanings.get(text);
    if (known === undefined) this.meanings.set(text, meaning);
    else if (known !== meaning) this.texts.add(text);
  }

  has(text: string): boolean {
    return this.texts.has(text);
  }
}
