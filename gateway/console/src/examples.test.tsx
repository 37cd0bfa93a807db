import type { ComponentChild } from "preact";
import { renderToString, renderToStringAsync } from "preact-render-to-string";
import { LocationProvider } from "preact-iso/router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
// The document of the server that this console belongs to: no copy of it can be out of date.
import { documentOfEverything } from "../../dist/testing/document.js";
import { standAt } from "./testing/browser-globals.js";
import { CHANGES, ExampleAnswers, type ExampleDocument, UNKNOWN } from "./testing/example-answers.js";

const { App } = await import("./app.js");
const { queries } = await import("./data/queries.js");
const { viewOf } = await import("./data/posting-view.js");
const { isUpdated } = await import("./data/server.js");
const { session } = await import("./data/session.js");
const { PostingCard } = await import("./parts/posting-card/posting-card.js");
const { ContentList } = await import("./screens/analysis/content-list.js");
const { ContentView } = await import("./screens/analysis/content-result.js");
const { resultsTable } = await import("./screens/analysis/results-table.js");
const { PostingDetail } = await import("./screens/postings/posting-detail.js");
const { SCREENS } = await import("./screens/screens.js");

type Posting = Parameters<typeof viewOf>[0];
type ContentResult = Parameters<typeof resultsTable>[0][number];

const DOCUMENT = documentOfEverything() as unknown as ExampleDocument;
const VARIANTS = Object.entries(CHANGES);
const INSIGHT = "/api/v2/products/insight";
const OPERATIONS = "/api/v2/products/api/operations";
const KEY = "reddit-Ck3bVY0z0PqhG8mS0S5n2w";
/** More than any screen reads after what it has read. */
const ROUNDS_MAX = 10;

/** The screens with what they show of the examples, beside other things. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  "/": ["Electric cars", "1 platform in trouble", "npm run models -- pull"],
  "/insights": ["Electric cars", "needs credentials"],
  "/insights/12": ["Postings by day", "3 postings", "charging stations", "pleasantness"],
  "/insights/12?spike=2026-01-31T12,twitter": ["Electric cars"],
  "/insights/12?from=2026-01-30&to=2026-01-31&polarity=negative&spam=hide": ["negative", "Electric cars"],
  "/insights/new?from=12": ["Electric cars", "phrase", "https://news.example.com/rss.xml"],
  [`/insights/12/postings?posting=${KEY}`]: ["Electric cars", "Oct"],
  "/insights/12/collection": ["Set TWITTER_BEARER_TOKEN", "older than what the platform gives out"],
  "/exports": ["Insight 12", "98.3 kB"],
  "/exports?new=1&insight=12": ["Electric cars", "Start the export"],
  "/analyses": ["Museum, January"],
  "/analyses/new": ["Sentiment", "73.9%"],
  "/analyses/1": ["1 text", "no errors"],
  "/settings/account": ["admin@example.com", "Ann Lee"],
  "/settings/keys": ["Dashboard", "hg_4TqZ9xWd"],
  "/settings/users": ["bob@example.com"],
  "/settings/platforms": ["TWITTER_BEARER_TOKEN"],
  "/settings/models": ["sentiment-simple-encoder"],
  "/settings/server": ["Everything works", "sentiment-simple-encoder", "20,000"],
};

/** Examples of reads that screens show when they are clicked, that are rendered below, or that programs read. */
const SHOWN_LATER = [
  "/.well-known/jwks.json",
  "/api/v2/audit",
  "/api/v2/users/{id}",
  "/api/v2/products/api/exports/{id}",
  `${INSIGHT}/exports/links/{token}`,
  `${INSIGHT}/exports/{id}`,
  `${INSIGHT}/exports/{id}/download`,
  "/healthz",
  `${OPERATIONS}/upload/{id}`,
  `${OPERATIONS}/upload`,
  `${OPERATIONS}/{id}/contents`,
];

beforeEach(() => session.begin("token", { id: 1, email: "admin@example.com" }));
afterEach(() => {
  queries.clear();
  isUpdated.value = false;
  vi.unstubAllGlobals();
});

describe.each(VARIANTS)("answers %s", (_, change) => {
  test.each(Object.keys(SHOWN))("are shown at %s", async (address) => {
    const html = await consoleAt(address, new ExampleAnswers(DOCUMENT, change));
    expect(html).toContain("<h1");
  });

  test("are shown as cards of postings and in full", () => {
    const posting = new ExampleAnswers(DOCUMENT, change).answerTo("GET", `${INSIGHT}/12/postings/${KEY}`) as Posting;
    const html = rendered(<PostingShown posting={posting} />);
    expect(html).toContain("<article");
  });

  test.each([1, 2, 3, 4])("are shown as results of the contents of analysis %i", (id) => {
    const answers = new ExampleAnswers(DOCUMENT, change);
    const { data } = answers.answerTo("GET", `${OPERATIONS}/${id}`) as { data: { contents: ContentResult[] } | null };
    const results = (data?.contents ?? []).map((content, index) => ({ ...content, index }));
    const html = rendered(<ContentsShown results={results} />);
    expect(html).toContain("<ol");
    expect(resultsTable(results).rows.length).toBeGreaterThanOrEqual(0);
  });
});

test("the NSFW score of a picture is shown where the server gives one", () => {
  const { "with all that may be there": change } = CHANGES;
  const answer = (given?: typeof change) => {
    const { data } = new ExampleAnswers(DOCUMENT, given).answerTo("GET", `${OPERATIONS}/3`) as {
      data: { contents: ContentResult[] };
    };
    const results = data.contents.map((content, index) => ({ ...content, index }));
    return plain(rendered(<ContentsShown results={results} />));
  };
  expect(answer(change)).toContain("NSFW score");
  expect(answer()).not.toContain("NSFW score");
});

describe("examples as documented", () => {
  test.each(Object.entries(SHOWN))("are read at %s", async (address, texts) => {
    const html = await consoleAt(address, new ExampleAnswers(DOCUMENT));
    for (const text of texts) expect(plain(html)).toContain(text);
  });

  test("answer all that screens read, and all of them are read", async () => {
    const answers = new ExampleAnswers(DOCUMENT);
    for (const address of Object.keys(SHOWN)) {
      await consoleAt(address, answers);
      queries.clear();
    }
    expect([...answers.unanswered]).toEqual([]);
    const unread = answers.documented("get").filter((path) => !answers.asked.has(path));
    expect(unread.sort()).toEqual([...SHOWN_LATER].sort());
  });

  test("stand at an address of each screen", () => {
    const patterns = SCREENS.map(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, "\\w+")}$`));
    const paths = Object.keys(SHOWN).map((address) => address.replace(/\?.*/, ""));
    expect(patterns.filter((pattern) => !paths.some((path) => pattern.test(path)))).toEqual([]);
  });
});

test.each([
  "/insights",
  "/insights/12",
  "/insights/12/collection",
  "/exports",
  "/analyses",
  "/analyses/1",
  "/settings/account",
  "/settings/server",
])("a value of a later version is shown by its name at %s", async (address) => {
  const { "with values of a later version": change } = CHANGES;
  expect(plain(await consoleAt(address, new ExampleAnswers(DOCUMENT, change)))).toContain(UNKNOWN);
});

/** The page of the console at an address, once it has read what it reads. */
async function consoleAt(address: string, answers: ExampleAnswers): Promise<string> {
  standAt(address);
  vi.stubGlobal("fetch", answers.fetch);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const html = await renderToStringAsync(<App />);
    const waiting = queries.getQueryCache().findAll({ predicate: isWaiting });
    if (waiting.length === 0) return html;
    await Promise.allSettled(waiting.map((query) => query.fetch()));
  }
  throw new Error(`The page reads more and more at ${address}.`);
}

/** Whether a component waits for what nobody reads, as effects do not run here. */
function isWaiting({
  state,
  options,
}: {
  readonly state: { readonly status: string };
  readonly options: object;
}): boolean {
  return state.status === "pending" && (!("enabled" in options) || options.enabled === true);
}

function rendered(child: ComponentChild): string {
  standAt("/");
  return renderToString(<LocationProvider>{child}</LocationProvider>);
}

function PostingShown({ posting }: { readonly posting: Posting }) {
  const [view, nothing] = [viewOf(posting), (): void => undefined];
  return (
    <>
      <PostingCard posting={view} href="/" isCurrent={false} position={1} size={1} onOpen={nothing} />
      <PostingDetail
        insightId={12}
        postingKey={view.key}
        posting={posting}
        isNarrow={false}
        onBack={nothing}
        onErased={nothing}
      />
    </>
  );
}

function ContentsShown({ results }: { readonly results: readonly ContentResult[] }) {
  return (
    <>
      <ContentList
        contents={results.map(({ content }) => content)}
        results={results}
        current={0}
        onSeen={() => undefined}
      />
      {results.map((result) => (
        <ContentView key={result.index} id={1} result={result} isUtf16={false} isExplained />
      ))}
    </>
  );
}

/** What is read, without tags and signs that no reader sees. */
function plain(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("\u00ad", "")
    .replaceAll(/\s+/g, " ");
}
