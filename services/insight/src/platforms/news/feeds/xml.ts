import { decodeHTMLStrict } from "entities";
import { type Token, type TokenHandler, Tokenizer } from "parse5";

/** An element of a feed document. */
export interface XmlElement {
  /** In lower case; with the usual prefix of its namespace (`dc:title`) if that is not the namespace of the feed. */
  readonly name: string;
  /** By name in lower case, as written in the document. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** What stands between its tags, as written. */
  readonly source: string;
  /** Address against which its relative references are resolved: `xml:base`, else that of the document. */
  readonly base: string;
}

/** A feed document as a tree. */
export interface XmlDocument {
  /** `rss`, `feed` or `rdf`. */
  readonly root: XmlElement;
  /** Whether it breaks off before its end. The entry in which it does is left out. */
  readonly isTruncated: boolean;
}

/** Prefixes by which elements are looked for, whatever prefix the document gives to the namespace. */
const PREFIXES: ReadonlyMap<string, string> = new Map([
  ["//www.w3.org/2005/atom", "atom"],
  ["//purl.org/atom/ns", "atom"],
  ["//purl.org/rss/1.0/modules/content", "content"],
  ["//purl.org/rss/1.0/modules/slash", "slash"],
  ["//purl.org/rss/1.0/modules/syndication", "sy"],
  ["//purl.org/dc/elements/1.0", "dc"],
  ["//purl.org/dc/elements/1.1", "dc"],
  ["//purl.org/dc/terms", "dcterms"],
  ["//purl.org/syndication/thread/1.0", "thr"],
  ["//search.yahoo.com/mrss", "media"],
  ["//www.rssboard.org/media-rss", "media"],
  ["//www.itunes.com/dtds/podcast-1.0.dtd", "itunes"],
  ["//www.google.com/schemas/play-podcasts/1.0", "googleplay"],
  ["//www.georss.org/georss", "georss"],
  ["//www.opengis.net/gml", "gml"],
  ["//www.w3.org/2003/01/geo/wgs84_pos", "geo"],
  ["//www.w3.org/1999/02/22-rdf-syntax-ns", "rdf"],
  ["//www.w3.org/1999/xhtml", "xhtml"],
  ["//news.yandex.ru", "yandex"],
]);
/** Namespaces of RSS: their elements have no prefix here. */
const RSS =
  /^\/\/(?:purl\.org\/rss\/1\.0|my\.netscape\.com\/rdf\/simple\/0\.9|channel\.netscape\.com\/rdf\/simple\/0\.9|backend\.userland\.com\/rss2?)$/;
const ROOTS = new Set(["rss", "feed", "rdf"]);
const ENTRIES = new Set(["item", "entry"]);
/** Deeper elements are part of the source of those above them only, and declare no prefixes. */
const DEPTH_MAX = 10;
const PREFIXES_MAX = 100;

export interface ReadXmlOptions {
  /** Address of the document. */
  readonly url: string;
  /** Further entries are left out. */
  readonly entriesMax: number;
}

/**
 * Reads a feed document of any quality, in linear time: the tokenizer of HTML finds the tags, because it knows no fatal
 * error. A tag without a partner is ignored, an element without an end ends with the one around it, and an entry ends
 * where the next one begins. Undefined if the document has no root element of a feed, or is a web page.
 */
export function readXml(text: string, options: ReadXmlOptions): XmlDocument | undefined {
  const reader = new TreeReader(text, options);
  const tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, reader);
  tokenizer.inForeignNode = true; // So that it knows CDATA.
  tokenizer.write(text, true);
  return reader.end();
}

/** Text of an element without markup of its own: entities decoded, CDATA as written, no comments. */
export function textOf({ source }: XmlElement): string {
  return mapText(source, decodeHTMLStrict, (cdata) => cdata).trim();
}

/** The markup within an element as HTML: entities stay, and CDATA is text. */
export function markupOf({ source }: XmlElement): string {
  const unprefixed = (markup: string): string => markup.replaceAll(/<(\/?)[\w.-]+:(?=[a-z])/gi, "<$1");
  return mapText(source, unprefixed, (cdata) => cdata.replaceAll("&", "&amp;").replaceAll("<", "&lt;"));
}

function mapText(source: string, outside: (text: string) => string, inCdata: (text: string) => string): string {
  let result = "";
  let at = 0;
  for (;;) {
    const next = nextOf(source, at);
    if (next === undefined) return result + outside(source.slice(at));
    result += outside(source.slice(at, next.start));
    if (next.isCdata) result += inCdata(source.slice(next.start + "<![CDATA[".length, next.end));
    at = next.end + 3;
  }
}

/** The next comment or CDATA section; one without an end extends to that of the text. */
function nextOf(source: string, from: number): { start: number; end: number; isCdata: boolean } | undefined {
  for (let start = source.indexOf("<!", from); start !== -1; start = source.indexOf("<!", start + 2)) {
    const isCdata = source.startsWith("[CDATA[", start + 2);
    if (!isCdata && !source.startsWith("--", start + 2)) continue;
    const end = source.indexOf(isCdata ? "]]>" : "-->", start + 4);
    return { start, end: end === -1 ? source.length : end, isCdata };
  }
  return undefined;
}

/** Prefixes of an element and their namespaces. */
type Scope = ReadonlyMap<string, string>;

interface OpenElement {
  /** As the document writes it. */
  readonly tag: string;
  readonly scope: Scope;
  readonly element: { -readonly [Key in keyof XmlElement]: XmlElement[Key] } & { children: XmlElement[] };
  /** Where its content begins. */
  readonly contentAt: number;
}

class TreeReader implements TokenHandler {
  private root: XmlElement | undefined;
  private readonly open: OpenElement[] = [];
  /** How many elements of a tag are open, so that an end tag without a partner costs no search. */
  private readonly openTags = new Map<string, number>();
  /** Where among the open elements entries and feeds are. */
  private readonly boundaries: number[] = [];
  private own: ReadonlySet<string | undefined> = new Set();
  private entries = 0;
  /** Whether the root has ended, or is none of a feed: what follows is not read. */
  private isOver = false;

  constructor(
    private readonly text: string,
    private readonly options: ReadXmlOptions,
  ) {}

  onStartTag({ tagName: tag, attrs, selfClosing, location }: Token.TagToken): void {
    if (this.isOver) return;
    const attributes = new Map(attrs.map(({ name, value }) => [name, value]));
    const scope = this.scopeOf(attributes);
    if (this.root === undefined && !this.isRoot(tag, scope)) return;
    const name = this.nameOf(tag, scope);
    if (ENTRIES.has(name)) this.endEntryBefore(location!.startOffset);
    const base = resolve(attributes.get("xml:base"), this.open.at(-1)?.element.base ?? this.options.url);
    const element = { name, attributes, children: [], source: "", base };
    this.attach(element);
    if (selfClosing) return;
    if (isBoundary(name)) this.boundaries.push(this.open.length);
    this.open.push({ tag, scope, element, contentAt: location!.endOffset });
    this.openTags.set(tag, (this.openTags.get(tag) ?? 0) + 1);
  }

  onEndTag({ tagName: tag, location }: Token.TagToken): void {
    if ((this.openTags.get(tag) ?? 0) === 0) return;
    while (this.close(location!.startOffset) !== tag);
    this.isOver = this.open.length === 0;
  }

  readonly onCharacter = (): void => undefined;
  readonly onWhitespaceCharacter = (): void => undefined;
  readonly onNullCharacter = (): void => undefined;
  readonly onComment = (): void => undefined;
  readonly onDoctype = (): void => undefined;
  readonly onEof = (): void => undefined;

  end(): XmlDocument | undefined {
    if (this.root === undefined) return undefined;
    const isTruncated = this.open.length > 0;
    const cut = this.open.findIndex(({ element }) => ENTRIES.has(element.name));
    const parent = this.open[cut - 1]?.element;
    if (parent !== undefined) parent.children = parent.children.filter((child) => child !== this.open[cut]?.element);
    while (this.open.length > 0) this.close(this.text.length);
    return { root: this.root, isTruncated };
  }

  /** What stands before the root, such as a warning of the server's program, is passed over. */
  private isRoot(tag: string, scope: Scope): boolean {
    const [prefix, local] = splitName(tag);
    if (local === "html") this.isOver = true;
    if (!ROOTS.has(local)) return false;
    this.own = new Set(local === "rdf" ? [scope.get("")] : [scope.get(""), scope.get(prefix)]);
    return true;
  }

  private nameOf(tag: string, scope: Scope): string {
    const [prefix, local] = splitName(tag);
    if (this.root === undefined) return local;
    const namespace = scope.get(prefix);
    if (namespace === undefined ? prefix === "" : this.own.has(namespace) || RSS.test(namespace)) return local;
    return `${PREFIXES.get(namespace ?? "") ?? (prefix === "" ? "other" : prefix)}:${local}`;
  }

  private scopeOf(attributes: XmlElement["attributes"]): Scope {
    const around = this.open.at(-1)?.scope ?? new Map<string, string>();
    const declared = [...attributes].filter(([name]) => name === "xmlns" || name.startsWith("xmlns:"));
    if (declared.length === 0 || this.open.length > DEPTH_MAX || around.size > PREFIXES_MAX) return around;
    const entries = declared.map(([name, uri]) => [name.slice("xmlns:".length), normalized(uri)] as const);
    return new Map([...around, ...entries]);
  }

  private attach(element: OpenElement["element"]): void {
    this.root ??= element;
    if (ENTRIES.has(element.name) && ++this.entries > this.options.entriesMax) return;
    if (this.open.length <= DEPTH_MAX) this.open.at(-1)?.element.children.push(element);
  }

  /** An entry within an entry is one that has no end, unless it is part of a feed in there. */
  private endEntryBefore(offset: number): void {
    const around = this.boundaries.at(-1);
    if (around === undefined || !ENTRIES.has(this.open[around]!.element.name)) return;
    while (this.open.length > around) this.close(offset);
  }

  /** Ends the innermost element; returns its tag. */
  private close(offset: number): string {
    const { tag, element, contentAt } = this.open.pop()!;
    this.openTags.set(tag, (this.openTags.get(tag) ?? 0) - 1);
    if (isBoundary(element.name)) this.boundaries.pop();
    element.source = this.text.slice(contentAt, Math.max(contentAt, offset));
    return tag;
  }
}

function isBoundary(name: string): boolean {
  return ENTRIES.has(name) || name === "feed";
}

/** The URI of a namespace without its scheme, so that http and https are one. */
function normalized(uri: string): string {
  return uri
    .trim()
    .toLowerCase()
    .replace(/^https?:/, "")
    .replace(/[/#]+$/, "");
}

function splitName(tag: string): [prefix: string, local: string] {
  const colon = tag.indexOf(":");
  return colon === -1 ? ["", tag] : [tag.slice(0, colon), tag.slice(colon + 1)];
}

/** A reference as an absolute URL; the base if there is none or it cannot be one. */
function resolve(reference: string | undefined, base: string): string {
  const trimmed = reference?.trim() ?? "";
  return trimmed !== "" && URL.canParse(trimmed, base) ? new URL(trimmed, base).href : base;
}
