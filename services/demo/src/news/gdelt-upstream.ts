import { createHash } from "node:crypto";
import type { Reply, UpstreamRequest } from "../upstream/exchange.js";
import { Upstream } from "../upstream/upstream.js";
import { type DemoArticle, inventArticle } from "./article.js";
import { fileTimeOf, gkgRow } from "./gkg-row.js";
import { zipOf } from "./zip.js";

const QUARTER_HOUR_MS = 15 * 60_000;
const FOLDER = "/gdeltv2";
const OTHER_KINDS = ["export.CSV", "mentions.CSV"] as const;
/** Where the lists say that files are, whatever mirror they are read from. */
const HOST = "http://data.gdeltproject.org";

/** What a test or the demo decides about the fake. */
export interface GdeltUpstreamOptions {
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

  protected answer({ method, path, headers }: UpstreamRequest): Reply {
    const name = method === "GET" && path.startsWith(`${FOLDER}/`) ? path.slice(FOLDER.length + 1) : "";
    const [, list, translation] = /^(lastupdate|masterfilelist)(-translation)?\.txt$/.exec(name) ?? [];
    if (list !== undefined) return this.list(list, translation === undefined ? "english" : "translated", headers);
    const [, digits, marked] = /^(\d{14})(\.translation)?\.gkg\.csv\.zip$/.exec(name) ?? [];
    const stream = marked === undefined ? "english" : "translated";
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
