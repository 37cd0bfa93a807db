import {
  type Connector,
  type LookUp,
  type LookUpRequest,
  type Page,
  type PageRequest,
  PlatformError,
  type Rechecks,
} from "../../platforms/connector.js";
import type { PostingDraft } from "../../platforms/posting-draft.js";

/** What a platform does for one request; a text is no page. */
export type Answer =
  Partial<Page> | Error | string | ((request: PageRequest) => Partial<Page> | Promise<Partial<Page>>);

const EMPTY: Page = { postings: [], skipped: 0, requests: 1, nextPage: null, cursor: null };

/** A platform that gives the scripted answers, one a request, and then empty pages. */
export class FakePlatform implements Connector {
  mode: Connector["mode"] = "search";
  lookBackMs = 7 * 24 * 3_600_000;
  intervalMinMs = 0;
  newestFirst = false;
  idsOnly = false;
  readonly requests: PageRequest[] = [];
  private readonly answers: Answer[];

  constructor(...answers: Answer[]) {
    this.answers = answers;
  }

  /** Appends answers. */
  then(...answers: Answer[]): void {
    this.answers.push(...answers);
  }

  plan(): ReturnType<Connector["plan"]> {
    return { queries: ["kestrel"], narrowedLocally: false, cost: "1 request", warnings: [] };
  }

  async fetchPage(request: PageRequest): Promise<Page> {
    this.requests.push(request);
    const answer = this.answers.shift() ?? {};
    if (answer instanceof Error) throw answer;
    const page = typeof answer === "function" ? await answer(request) : answer;
    return typeof page === "string" ? (page as never) : { ...EMPTY, ...page };
  }
}

/** A platform that holds postings, newest first in pages of two, and answers as cursor and page token demand. */
export class TimelinePlatform extends FakePlatform {
  readonly postings: PostingDraft[] = [];
  /** The request with this number fails; the first is 1. */
  failsAt = 0;

  override fetchPage(request: PageRequest): Promise<Page> {
    this.requests.push(request);
    if (this.requests.length === this.failsAt)
      return Promise.reject(new PlatformError("temporary", "It is unavailable."));
    const { cursor, pageToken, since } = request;
    const [newest, before] = (pageToken as [number, number] | null) ?? [this.newest(), Infinity];
    const wanted = this.postings
      .filter(({ postedAt }) => postedAt >= Math.max(since, Number(cursor ?? 0)) && postedAt < before)
      .sort((a, b) => b.postedAt - a.postedAt);
    const postings = wanted.slice(0, 2);
    const nextPage = wanted.length > 2 ? [newest, postings.at(-1)?.postedAt ?? 0] : null;
    return Promise.resolve({ ...EMPTY, postings, nextPage, cursor: newest });
  }

  private newest(): number {
    return Math.max(0, ...this.postings.map(({ postedAt }) => postedAt));
  }
}

/** A platform whose postings can be looked up: those of the timeline are there, all others are gone. */
export class RecheckedPlatform extends TimelinePlatform {
  readonly lookUps: LookUpRequest[] = [];
  /** Answers of the next look-ups, instead of the timeline's. */
  readonly scripted: (Error | LookUp)[] = [];
  /** Runs before each answer. */
  before: (() => Promise<unknown>) | undefined;
  readonly rechecks: Rechecks;

  constructor({ idsMax = 2, termMs = 24 * 3_600_000 } = {}) {
    super();
    this.rechecks = { idsMax, termMs: () => termMs, lookUp: (request) => this.lookUp(request) };
  }

  /** Ids of all look-ups, in their order. */
  get asked(): string[] {
    return this.lookUps.flatMap(({ ids }) => ids);
  }

  private async lookUp(request: LookUpRequest): Promise<LookUp> {
    this.lookUps.push(request);
    await this.before?.();
    const answer = this.scripted.shift();
    if (answer instanceof Error) throw answer;
    const found = this.postings.filter(({ socialId = "" }) => request.ids.includes(socialId));
    const gone = request.ids.filter((id) => !found.some(({ socialId }) => socialId === id));
    return answer ?? { found, gone };
  }
}
