import { describe, expect, it } from "vitest";
import { parseQuery } from "../../query/parser.js";
import { type Connector, type Page, type PageRequest, PlatformError } from "../connector.js";
import { EVERYWHERE } from "../places.js";
import { composeSources, type NewsSource, type SourceName } from "./sources.js";

const NOW = Date.UTC(2026, 10, 22, 12);
const HOUR = 60 * 60_000;

type Answer = Partial<Page> | Error;

/** A source that gives these answers, one after the other, and keeps what it was asked. */
class Scripted implements NewsSource {
  readonly asked: Pick<PageRequest, "cursor" | "pageToken">[] = [];
  readonly connector: Connector;
  isRead = true;

  constructor(
    readonly name: SourceName,
    private readonly answers: Answer[],
  ) {
    this.connector = {
      mode: "follow",
      lookBackMs: HOUR,
      intervalMinMs: HOUR,
      plan: () => ({ queries: [name], narrowedLocally: false, cost: `${name} cost`, warnings: [] }),
      fetchPage: (request) => this.answer(request),
    };
  }

  isReadBy = (): boolean => this.isRead;

  private answer({ cursor, pageToken }: PageRequest): Promise<Page> {
    this.asked.push({ cursor, pageToken });
    const answer = this.answers.shift() ?? {};
    if (answer instanceof Error) return Promise.reject(answer);
    const posting = { socialId: `${this.name} ${this.asked.length}`, postedAt: NOW };
    return Promise.resolve({ postings: [posting], skipped: 0, requests: 1, nextPage: null, cursor: "read", ...answer });
  }
}

function requestOf(values: Partial<PageRequest> = {}): PageRequest {
  const follow = { feeds: [], subreddits: [], pages: [], organisations: [] };
  const search = { query: parseQuery("kestrel"), places: EVERYWHERE, follow, preview: false };
  const signal = new AbortController().signal;
  return { search, cursor: null, pageToken: null, since: NOW - HOUR, startedAt: NOW, limit: 100, signal, ...values };
}

const idsOf = ({ postings }: Page) => postings.map(({ socialId }) => socialId);
const failure = (kind: PlatformError["kind"], retryAt?: number) => new PlatformError(kind, "It fails.", { retryAt });

describe("several sources of news", () => {
  it("give their pages together, each from where it stands", async () => {
    const feeds = new Scripted("feeds", [{ nextPage: "f2", cursor: "f" }, { cursor: "f end" }, {}]);
    const newsapi = new Scripted("newsapi", [{ cursor: "n end" }, {}]);
    const connector = composeSources([feeds, newsapi], () => NOW);
    const first = await connector.fetchPage(requestOf());
    expect(idsOf(first)).toEqual(["feeds 1", "newsapi 1"]);
    const second = await connector.fetchPage(requestOf({ pageToken: first.nextPage }));
    expect([idsOf(second), second.nextPage]).toEqual([["feeds 2"], null]);
    await connector.fetchPage(requestOf({ cursor: second.cursor }));
    expect(feeds.asked).toEqual([
      { cursor: null, pageToken: null },
      { cursor: null, pageToken: "f2" },
      { cursor: "f end", pageToken: null },
    ]);
    expect(newsapi.asked.at(-1)).toEqual({ cursor: "n end", pageToken: null });
  });

  it("are read on if one of them fails, which is a warning and a gap", async () => {
    const feeds = new Scripted("feeds", []);
    const newsapi = new Scripted("newsapi", [failure("budget", NOW + HOUR)]);
    const page = await composeSources([feeds, newsapi], () => NOW).fetchPage(requestOf());
    expect(page).toMatchObject({ nextPage: null, warnings: ["It fails."] });
    expect(page.gaps).toEqual([{ from: NOW - HOUR, to: NOW, reason: "budget" }]);
    expect(idsOf(page)).toEqual(["feeds 1"]);
  });

  it("do not ask a source before the time that it stated, and show until then why", async () => {
    let now = NOW;
    const newsapi = new Scripted("newsapi", [failure("rate", NOW + HOUR)]);
    const connector = composeSources([new Scripted("feeds", []), newsapi], () => now);
    const first = await connector.fetchPage(requestOf());
    now += HOUR - 1;
    const second = await connector.fetchPage(requestOf({ cursor: first.cursor }));
    expect([newsapi.asked.length, second.warnings]).toEqual([1, ["It fails."]]);
    now += 1;
    const third = await connector.fetchPage(requestOf({ cursor: second.cursor }));
    expect([newsapi.asked.length, third.warnings, third.gaps]).toEqual([2, [], []]);
  });

  it("let a source continue with the page at which it failed", async () => {
    const newsapi = new Scripted("newsapi", [{ nextPage: "n2" }, failure("temporary"), {}]);
    const connector = composeSources([new Scripted("feeds", []), newsapi], () => NOW);
    const first = await connector.fetchPage(requestOf());
    const second = await connector.fetchPage(requestOf({ pageToken: first.nextPage }));
    expect(second.nextPage).toBeNull();
    await connector.fetchPage(requestOf({ cursor: second.cursor }));
    expect(newsapi.asked.at(-1)).toEqual({ cursor: null, pageToken: "n2" });
  });

  it("fail together only if all of them do, until the first of them may be asked", async () => {
    const sources = [
      new Scripted("feeds", [failure("temporary", NOW + HOUR)]),
      new Scripted("newsapi", [failure("budget", NOW + 2 * HOUR)]),
    ];
    await expect(composeSources(sources, () => NOW).fetchPage(requestOf())).rejects.toMatchObject({
      kind: "temporary",
      message: "No source of news can be read. It fails.",
      retryAt: NOW + HOUR,
    });
  });

  it("never reject credentials for the whole platform", async () => {
    const connector = composeSources([new Scripted("newsapi", [failure("auth")])], () => NOW);
    await expect(connector.fetchPage(requestOf())).rejects.toMatchObject({ kind: "permanent", message: "It fails." });
  });

  it("leave out one that has nothing to read for a search", async () => {
    const feeds = new Scripted("feeds", []);
    feeds.isRead = false;
    const connector = composeSources([feeds, new Scripted("newsapi", [])], () => NOW);
    expect(idsOf(await connector.fetchPage(requestOf()))).toEqual(["newsapi 1"]);
    expect(connector.plan(requestOf().search)).toMatchObject({ queries: ["newsapi"], cost: "newsapi cost" });
  });

  it("take a position from before there were several as that of the feeds", async () => {
    const feeds = new Scripted("feeds", []);
    const newsapi = new Scripted("newsapi", []);
    const cursor = { since: 1, read: { a: 7 } };
    await composeSources([feeds, newsapi], () => NOW).fetchPage(requestOf({ cursor }));
    expect([feeds.asked[0]?.cursor, newsapi.asked[0]?.cursor]).toEqual([cursor, null]);
  });

  it("pass on what no source answers for", async () => {
    const connector = composeSources([new Scripted("feeds", [new TypeError("broken")])], () => NOW);
    await expect(connector.fetchPage(requestOf())).rejects.toThrow("broken");
  });
});
