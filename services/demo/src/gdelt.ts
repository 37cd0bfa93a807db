import { createHash } from "node:crypto";
import { crc32, deflateRawSync } from "node:zlib";
import { type DemoArticle, inventArticle } from "./newsapi.js";
import { type Reply, Upstream, type UpstreamRequest } from "./upstream.js";

const QUARTER_HOUR_MS = 15 * 60_000;
const FOLDER = "/gdeltv2";
const OTHER_KINDS = ["export.CSV", "mentions.CSV"] as const;
/** Where the lists say that files are, whatever mirror they are read from. */
const HOST = "http://data.gdeltproject.org";

/** What a test or the demo decides about the fake. */
interface GdeltUpstreamOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Time that one file covers; default: 15 minutes, as GDELT's do. */
  readonly fileMs?: number;
  /** Default: any free one. */
  readonly port?: number;
}

/** How files differ from what a client hopes for, by the time of the file. */
interface Defect {
  readonly kind: "missing" | "other-checksum" | "truncated" | "replaced";
  readonly bytes?: Uint8Array;
}

type Stream = "english" | "translated";

/**
 * A fake of GDELT's bulk files, made from its documentation: the lists of files, ranges of them, and GKG 2.1 in archives.
 * A file is published when its time has passed. Its articles are invented.
 */
export class GdeltUpstream extends Upstream {
  /** Files that are not as they should be, by their time. */
  readonly defects = new Map<number, Defect>();
  /** Whether a part of the list of all files is given out. */
  givesRanges = true;
  /** Columns of a row that are replaced, by the id of the article. */
  readonly changedColumns = new Map<string, Readonly<Record<number, string>>>();
  private readonly articles: DemoArticle[] = [];
  private readonly fileMs: number;
  private readonly startedAt: number;

  private constructor(private readonly options: GdeltUpstreamOptions) {
    super();
    this.fileMs = options.fileMs ?? QUARTER_HOUR_MS;
    this.startedAt = options.now();
  }

  static start(options: GdeltUpstreamOptions): Promise<GdeltUpstream> {
    return new GdeltUpstream(options).listen(options.port);
  }

  /** Adds an invented article; default time: now. Returns the id of its posting. */
  post(values: Partial<DemoArticle> = {}): string {
    const article = inventArticle(this.articles.length + 1, values.at ?? this.options.now(), values);
    this.articles.push(article);
    return article.id;
  }

  /** The time of the file in which an article of this time stands. */
  fileTimeFor(at: number): number {
    return Math.ceil(at / this.fileMs) * this.fileMs;
  }

  protected respond({ method, path, headers }: UpstreamRequest): Reply {
    const name = method === "GET" && path.startsWith(`${FOLDER}/`) ? path.slice(FOLDER.length + 1) : "";
    const [, list, translation] = /^(lastupdate|masterfilelist)(-translation)?\.txt$/.exec(name) ?? [];
    if (list !== undefined) return this.list(list, translation === undefined ? "english" : "translated", headers);
    const [, digits, translated] = /^(\d{14})(\.translation)?\.gkg\.csv\.zip$/.exec(name) ?? [];
    const stream = translated === undefined ? "english" : "translated";
    const time = this.times().find((each) => fileTimeOf(each) === digits);
    const defect = time === undefined ? undefined : this.defects.get(time);
    if (time === undefined || defect?.kind === "missing") return { status: 404, body: "<Error>NoSuchKey</Error>" };
    const archive = this.archive(time, stream);
    const body = defect?.kind === "truncated" ? archive.subarray(0, archive.length / 2) : archive;
    return { headers: { "Content-Type": "application/zip" }, body };
  }

  /** Times of the files that are published. One without articles is there if it is the newest. */
  private times(): number[] {
    const newest = Math.floor(this.options.now() / this.fileMs) * this.fileMs;
    const begin = Math.floor(this.startedAt / this.fileMs) * this.fileMs;
    const times = new Set([begin, ...this.articles.map(({ at }) => this.fileTimeFor(at))]);
    return [...times].filter((time) => time <= newest).sort((a, b) => a - b);
  }

  private list(name: string, stream: Stream, headers: UpstreamRequest["headers"]): Reply {
    const times = name === "lastupdate" ? this.times().slice(-1) : this.times();
    const text = times.map((time) => this.linesOf(time, stream)).join("");
    const [, suffix] = /^bytes=-(\d+)$/.exec(headers.range ?? "") ?? [];
    if (suffix === undefined || !this.givesRanges) return { body: text };
    const part = text.slice(-Number(suffix));
    const from = text.length - part.length;
    return {
      status: 206,
      headers: { "Content-Range": `bytes ${from}-${text.length - 1}/${text.length}` },
      body: part,
    };
  }

  private linesOf(time: number, stream: Stream): string {
    const name = `${fileTimeOf(time)}${stream === "translated" ? ".translation" : ""}`;
    const archive = this.archive(time, stream);
    const isOther = this.defects.get(time)?.kind === "other-checksum";
    const md5 = createHash("md5")
      .update(isOther ? "other" : archive)
      .digest("hex");
    const others = OTHER_KINDS.map((kind) => `1234 ${"0".repeat(32)} ${HOST}${FOLDER}/${name}.${kind}.zip\n`);
    return `${others.join("")}${archive.length} ${md5} ${HOST}${FOLDER}/${name}.gkg.csv.zip\n`;
  }

  private archive(time: number, stream: Stream): Buffer {
    const defect = this.defects.get(time);
    if (defect?.kind === "replaced") return Buffer.from(defect.bytes ?? []);
    const isTranslated = stream === "translated";
    const own = this.articles.filter(
      ({ at, translatedFrom }) => this.fileTimeFor(at) === time && (translatedFrom !== undefined) === isTranslated,
    );
    const rows = own.map((article, number) => gkgRow(article, { number, time }, this.changedColumns.get(article.id)));
    return zipOf(`${fileTimeOf(time)}.gkg.csv`, rows.map((row) => `${row}\n`).join(""));
  }
}

const COLUMNS = 27;
const [RECORD_ID, DATE, COLLECTION, SOURCE, URL_OF, PERSONS, ORGANIZATIONS] = [0, 1, 2, 3, 4, 11, 13];
const [TONE, IMAGE, ALL_NAMES, TRANSLATION, EXTRAS] = [15, 18, 23, 25, 26];

/** The time of a file as GDELT writes it, such as `20261122121500`. */
function fileTimeOf(time: number): string {
  return new Date(time).toISOString().replaceAll(/\.\d+|\D/g, "");
}

/** An article as a row of GKG 2.1; `changed` replaces columns by their number. */
function gkgRow(
  article: DemoArticle,
  { number, time }: { readonly number: number; readonly time: number },
  changed: Readonly<Record<number, string>> = {},
): string {
  const { translatedFrom } = article;
  const row: string[] = Array.from({ length: COLUMNS }, () => "");
  row[RECORD_ID] = `${fileTimeOf(time)}-${translatedFrom === undefined ? "" : "T"}${number}`;
  row[DATE] = fileTimeOf(time);
  row[COLLECTION] = "1";
  row[SOURCE] = article.source.name;
  row[URL_OF] = article.url;
  row[PERSONS] = article.author.name.toLowerCase();
  row[ORGANIZATIONS] = "demo makers association";
  row[TONE] = "1.5,3,1.5,4.5,20,0.5,200";
  row[IMAGE] = article.image ?? "";
  row[ALL_NAMES] = article.names.map((name, index) => `${name},${index * 100}`).join(";");
  row[TRANSLATION] = translatedFrom === undefined ? "" : `srclc:${translatedFrom};eng:Moses 2.1.1`;
  row[EXTRAS] = `<PAGE_LINKS></PAGE_LINKS><PAGE_TITLE>${escaped(article.title)}</PAGE_TITLE>`;
  for (const [column, value] of Object.entries(changed)) row[Number(column)] = value;
  return row.join("\t");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("'", "&#x27;");
}

const DEFLATED = 8;
const VERSION = 20;

/** A ZIP archive with one file, as GDELT publishes them. */
export function zipOf(name: string, content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content);
  const packed = deflateRawSync(bytes);
  const described = Buffer.alloc(26);
  described.writeUInt16LE(VERSION, 0);
  described.writeUInt16LE(DEFLATED, 4);
  described.writeUInt32LE(crc32(bytes), 10);
  described.writeUInt32LE(packed.length, 14);
  described.writeUInt32LE(bytes.length, 18);
  described.writeUInt16LE(Buffer.byteLength(name), 22);
  const local = Buffer.concat([signature(0x04034b50), described, Buffer.from(name), packed]);
  const directory = Buffer.concat([
    signature(0x02014b50),
    Buffer.from([VERSION, 0]),
    described,
    Buffer.alloc(14),
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, directory, signature(0x06054b50), end]);
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
