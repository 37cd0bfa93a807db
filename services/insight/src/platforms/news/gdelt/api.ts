import { createHash } from "node:crypto";
import { type HttpAnswer, type HttpClient, HttpFailure } from "@hourglass/runtime";
import { retryAfterOf } from "../../http-json.js";
import { BadArchive, readArchive, type ReadArchive } from "./archive.js";
import { readGdeltTime } from "./posting.js";

const FOLDER = "gdeltv2/";
const QUARTER_HOUR_MS = 15 * 60_000;
/** Three lines of at most 160 bytes stand in the list of all files for each quarter of an hour. */
const BYTES_PER_FILE = 3 * 160;
/** The list is also read a little further back than is needed. */
const MORE_FILES = 4;
const BASE_URL = "NEWS_GDELT_BASE_URL";

/** Why GDELT could not be read. */
export interface GdeltProblem {
  kind: "rate" | "temporary" | "permanent";
  /** A sentence for those who search news. */
  message: string;
}

/** GDELT cannot be read at the moment. */
export class GdeltFailure extends Error {
  override readonly name = "GdeltFailure";

  constructor(
    readonly problem: GdeltProblem,
    /** When it may be asked again, as GDELT states it, in milliseconds since the epoch. */
    readonly retryAt?: number,
  ) {
    super(problem.message);
  }
}

interface GdeltFilesDeps {
  readonly http: Pick<HttpClient, "request">;
  readonly now: () => number;
  /** Address of GDELT's server or of a mirror, with a path if its folder is below one. */
  readonly baseUrl: string;
}

/** GDELT's folder of files. Methods throw GdeltFailure, and the reason of the signal. */
export class GdeltFiles {
  constructor(private readonly deps: GdeltFilesDeps) {}

  /** The newest file. */
  async newest(stream: GdeltStream, signal: AbortSignal): Promise<ListedFile> {
    const response = await this.ask(LISTS[stream].newest, { signal });
    if (response.status !== 200) throw this.failureOf(response);
    const newest = readFileList(await this.text(response), stream).at(-1);
    if (newest === undefined) {
      const message = `GDELT's list of files names none. If this persists, the operator must check ${BASE_URL}.`;
      throw new GdeltFailure({ kind: "temporary", message });
    }
    return newest;
  }

  /**
   * The files since a time: the end of the list of all files, which as a whole has more than 100 MB. Undefined if the server
   * gives no parts.
   */
  async since(stream: GdeltStream, time: number, signal: AbortSignal): Promise<ListedFile[] | undefined> {
    const files = Math.ceil((this.deps.now() - time) / QUARTER_HOUR_MS) + MORE_FILES;
    const range = `bytes=-${Math.max(files, MORE_FILES) * BYTES_PER_FILE}`;
    const response = await this.ask(LISTS[stream].all, { signal, range }).catch((error: unknown) => {
      if (error instanceof GdeltFailure && error.problem.kind === "permanent") return undefined;
      throw error;
    });
    if (response === undefined) return undefined;
    if (response.status !== 206) {
      const failure = this.failureOf(response);
      if (failure.problem.kind === "permanent") return undefined;
      throw failure;
    }
    return readFileList(await this.text(response), stream).filter(({ at }) => at > time);
  }

  /** The articles of a file. Throws BadArchive if there is no such file, or a broken one. */
  async read({ name, md5 }: ListedFile, signal: AbortSignal): Promise<ReadArchive> {
    const response = await this.ask(name, { signal }).catch(tooLarge);
    if ([403, 404, 410].includes(response.status)) {
      response.close();
      throw new BadArchive(`is not there (${response.status})`);
    }
    if (response.status !== 200) throw this.failureOf(response);
    const bytes = await this.received(response.bytes()).catch(tooLarge);
    const sum = createHash("md5").update(bytes).digest("hex");
    if (sum !== md5) throw new BadArchive("differs from the checksum in GDELT's list");
    return readArchive(bytes);
  }

  private async ask(name: string, { signal, range }: { signal: AbortSignal; range?: string }): Promise<HttpAnswer> {
    const { http, baseUrl } = this.deps;
    const url = new URL(`${FOLDER}${name}`, baseUrl.endsWith("/") ? baseUrl : `${baseUrl}/`);
    return this.received(http.request(url.href, { headers: range === undefined ? {} : { Range: range }, signal }));
  }

  private text(response: HttpAnswer): Promise<string> {
    return this.received(response.text());
  }

  private async received<T>(receiving: Promise<T>): Promise<T> {
    try {
      return await receiving;
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error;
      const isTemporary = !error.permanent || error.kind === "unknown-host";
      throw new GdeltFailure({ kind: isTemporary ? "temporary" : "permanent", message: error.message });
    }
  }

  private failureOf(response: HttpAnswer): GdeltFailure {
    response.close();
    const { status } = response;
    const retryAt = retryAfterOf(response, this.deps.now());
    if (status === 429) {
      return new GdeltFailure({ kind: "rate", message: "GDELT has received too many requests (429)." }, retryAt);
    }
    if (status >= 500 || status === 408 || status === 425) {
      const message = `GDELT is failing (${status}). It will be retried.`;
      return new GdeltFailure({ kind: "temporary", message }, retryAt);
    }
    const message = `GDELT refuses the request (${status}). The operator must check ${BASE_URL}.`;
    return new GdeltFailure({ kind: "permanent", message });
  }
}

/** One file that is too large must not stop the others. */
function tooLarge(error: unknown): never {
  if (error instanceof GdeltFailure && error.problem.kind === "permanent") {
    throw new BadArchive("cannot be fetched", { cause: error });
  }
  throw error;
}

/** A file of GKG as a list of GDELT names it. */
export interface ListedFile {
  /** Time up to which it has articles, in milliseconds since the epoch. */
  readonly at: number;
  /** In bytes, packed. */
  readonly size: number;
  /** Hexadecimal, lower case. */
  readonly md5: string;
  /** Its name in GDELT's folder: where the list says that it is, is not used. */
  readonly name: string;
}

const LINE = /^(\d{1,12}) ([0-9a-f]{32}) \S*\/((\d{14})(\.translation)?\.gkg\.csv\.zip)$/i;

/** The names of GDELT's lists. */
const LISTS: Readonly<Record<GdeltStream, { readonly newest: string; readonly all: string }>> = {
  english: { newest: "lastupdate.txt", all: "masterfilelist.txt" },
  translated: { newest: "lastupdate-translation.txt", all: "masterfilelist-translation.txt" },
};

/**
 * The files of GKG in a list, which has a line `size md5 url` for each file; other lines, such as the first one of a part
 * that begins within a line, are left out.
 */
export function readFileList(text: string, stream: GdeltStream): ListedFile[] {
  return text.split("\n").flatMap((line) => {
    const [, size = "", md5 = "", name = "", digits = "", translation] = LINE.exec(line.trim()) ?? [];
    const at = readGdeltTime(digits);
    const isWanted = (translation !== undefined) === (stream === "translated");
    return at === undefined || !isWanted ? [] : [{ at, size: Number(size), md5: md5.toLowerCase(), name }];
  });
}

/** Which files of GDELT: of articles in English, or of those that GDELT has translated. */
export type GdeltStream = "english" | "translated";
