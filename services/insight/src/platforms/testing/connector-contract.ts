import { type Fault, toJson } from "@hourglass/demo";
import type { HttpAnswer, HttpClient } from "@hourglass/runtime";
import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { killedAt, LEASE_MS, Rechecker } from "../../collector/testing/collector-world.js";
import { COLLECTOR_FAILPOINTS } from "../../collector/turn.js";
import type { SearchStatus } from "../../store/records.js";
import { type Page, PlatformError } from "../connector.js";
import { type ConnectorUnderTest, ConnectorWorld, type Upstream } from "./connector-world.js";
import { mutated, mutations } from "./mutations.js";

/** A connector, its fake, and what the suite must know of both. */
interface ConnectorSuite<U extends Upstream> extends ConnectorUnderTest<U> {
  /** Postings of one page; a first poll of the suite reads two and a half. */
  readonly pageSize: number;
  /** The credentials, which no sentence may contain. */
  readonly secret?: string;
  /** What faults mean on this platform, where it differs from `faults.ts`. */
  readonly faults?: OwnConsequences;
  /** Where the items of an answer are; absent if answers are not JSON. */
  readonly answers?: AnswerShape;
  /** Absent if stored postings cannot be looked up. */
  readonly rechecks?: RecheckSuite<U>;
}

/**
 * What every connector does, on the real collector and store: each posting is stored once whatever the platform repeats,
 * loses or refuses, and whenever the process dies.
 */
export function describeConnector<U extends Upstream>(suite: ConnectorSuite<U>): void {
  describe(`the connector of ${suite.module.name}`, () => {
    let opened: ConnectorWorld<U>;
    beforeEach(async () => {
      opened = await ConnectorWorld.open(suite);
    });
    afterEach(() => opened.close());
    const worldOf = (): ConnectorWorld<U> => opened;
    const { pageSize, faults = {}, secret, answers, rechecks } = suite;
    describePolls(pageSize, worldOf);
    describeDeaths(pageSize, worldOf);
    describeIrregularities(pageSize, worldOf);
    describeFaults({ faults, secret }, worldOf);
    if (answers !== undefined) describeAnswers(answers, worldOf);
    if (rechecks !== undefined) describeRechecks(rechecks, worldOf);
  });
}

const MINUTE = 60_000;

type WorldOf<U extends Upstream> = () => ConnectorWorld<U>;

/** What a connector finds, if all goes well. */
function describePolls<U extends Upstream>(pageSize: number, worldOf: WorldOf<U>): void {
  const count = Math.ceil(2.5 * pageSize);

  it("stores every posting of all pages once, and later polls only what is new", async () => {
    const tested = worldOf();
    const insight = await tested.insight();
    const ids = tested.post(count);
    await tested.pollToEnd(insight);
    expect(await tested.stored(insight)).toEqual([...ids].sort());
    tested.world.time += 10 * MINUTE;
    ids.push(...tested.post(3));
    await tested.pollToEnd(insight);
    await tested.pollToEnd(insight);
    expect(await tested.stored(insight)).toEqual([...ids].sort());
  });

  it("gives equal pages for equal answers", async () => {
    const tested = worldOf();
    tested.post(5);
    const [first, second] = [await tested.connector(), await tested.connector()];
    const page = await first.fetchPage(tested.request());
    expect(page.postings).toHaveLength(5);
    expect((await second.fetchPage(tested.request())).postings).toEqual(page.postings);
  });

  it("ends a poll that finds nothing", async () => {
    const tested = worldOf();
    const search = await tested.pollToEnd(await tested.insight());
    expect(search).toMatchObject({ status: "waiting", lastError: null, counts: { stored: 0 } });
  });

  it("collects after a pause what was posted meanwhile", async () => {
    const tested = worldOf();
    const insight = await tested.insight();
    const ids = tested.post(2);
    await tested.pollToEnd(insight);
    await tested.world.pause(insight);
    tested.world.time += 60 * MINUTE;
    ids.push(...tested.post(2));
    await tested.world.resume(insight);
    await tested.pollToEnd(insight);
    expect(await tested.stored(insight)).toEqual([...ids].sort());
  });

  it("gives a preview the newest postings, once", async () => {
    const tested = worldOf();
    const insight = await tested.insight({ sneakPeek: true });
    const ids = tested.post(30);
    await tested.world.worker().pollNext();
    expect(await tested.search(insight)).toMatchObject({ outcome: "answered" });
    expect(await tested.stored(insight)).toEqual(ids.slice(-25).sort());
  });
}

/** What a connector finds although its process dies. */
function describeDeaths<U extends Upstream>(pageSize: number, worldOf: WorldOf<U>): void {
  const count = Math.ceil(2.5 * pageSize);

  it.each(COLLECTOR_FAILPOINTS.flatMap((point) => [[point, 1] as const, [point, 2] as const]))(
    "loses nothing and repeats nothing if the process is killed at %s, pass %i",
    async (point, pass) => {
      const tested = worldOf();
      const insight = await tested.insight();
      const ids = tested.post(count);
      if (point.endsWith("failure")) tested.upstream.failNext({ kind: "status", status: 503 });
      await tested.world
        .worker(killedAt(point, pass))
        .pollNext()
        .catch(() => undefined);
      tested.world.time += LEASE_MS + 1;
      await tested.pollToEnd(insight);
      expect(await tested.stored(insight)).toEqual([...ids].sort());
    },
  );

  it("moves its cursor only after the last page", async () => {
    const tested = worldOf();
    const insight = await tested.insight();
    const ids = tested.post(count);
    await tested.world.worker({ isStopping: stopAfter(1) }).pollNext();
    expect((await tested.search(insight)).cursor).toBeNull();
    await tested.pollToEnd(insight);
    expect((await tested.search(insight)).cursor).not.toBeNull();
    expect(await tested.stored(insight)).toEqual([...ids].sort());
  });
}

/** What a connector finds although pages are not as they should be. */
function describeIrregularities<U extends Upstream>(pageSize: number, worldOf: WorldOf<U>): void {
  const count = Math.ceil(2.5 * pageSize);

  it.each(["repeats", "reorders"] as const)("stores each posting once if a page %s", async (irregularity) => {
    const tested = worldOf();
    const { timeline } = tested.upstream;
    if (timeline !== undefined) timeline.irregular[irregularity] = true;
    const insight = await tested.insight();
    const ids = tested.post(count);
    await tested.pollToEnd(insight);
    expect(await tested.stored(insight)).toEqual([...ids].sort());
  });

  it("ends a poll whose pages lead to themselves", async () => {
    const tested = worldOf();
    const { timeline } = tested.upstream;
    if (timeline !== undefined) timeline.irregular.loops = true;
    const insight = await tested.insight();
    tested.post(pageSize);
    await tested.pollToEnd(insight);
    expect(tested.upstream.seen.length).toBeLessThan(6);
    expect(await tested.stored(insight)).toHaveLength(pageSize);
  });
}

/** Stops a process after that many pages. */
function stopAfter(pages: number): () => boolean {
  let asked = 0;
  return () => (asked += 1) > pages;
}

/** What differs from FAULTS on a platform; null: the fault cannot occur. */
type OwnConsequences = Readonly<Partial<Record<FaultName, Consequence | null>>>;

/** What becomes of a search when its platform fails; `secret` is what no sentence may contain. */
function describeFaults<U extends Upstream>(
  { faults, secret }: { readonly faults: OwnConsequences; readonly secret: string | undefined },
  worldOf: () => ConnectorWorld<U>,
): void {
  const cases = Object.entries(FAULTS).flatMap(([name, [fault, status, sentence]]) => {
    const own = faults[name as FaultName];
    return own === null ? [] : [{ name, fault, ...(own ?? { status, sentence }) }];
  });

  it.each(cases)("shows what to do about $name, and continues afterwards", async ({ fault, status, sentence }) => {
    const tested = worldOf();
    const insight = await tested.insight();
    const ids = tested.post(3);
    tested.upstream.failAlways(fault);
    await tested.world.worker().pollNext();
    const search = await tested.search(insight);
    expect(search).toMatchObject({ status, cursor: null, lastError: expect.stringMatching(sentence) as string });
    if (secret !== undefined) expect(JSON.stringify(search)).not.toContain(secret);
    tested.upstream.failAlways(undefined);
    await tested.pollToEnd(insight);
    expect(await tested.stored(insight)).toEqual([...ids].sort());
  });

  it("is checked by one question, whose refusal is a sentence for people", async () => {
    const tested = worldOf();
    const connector = await tested.connector();
    if (connector.check === undefined) return;
    await connector.check(tested.request());
    tested.upstream.failAlways({ kind: "status", status: 401 });
    await expect(connector.check(tested.request())).rejects.toMatchObject({
      message: expect.stringMatching(/\.$/) as string,
    });
  });

  it("asks no sooner than a platform with too many requests allows", async () => {
    const tested = worldOf();
    const insight = await tested.insight();
    const until = tested.world.time + 30 * MINUTE;
    tested.upstream.failNext({ kind: "status", status: 429, headers: { "Retry-After": "1800" } });
    await tested.world.worker().pollNext();
    expect((await tested.search(insight)).dueAt).toBeGreaterThanOrEqual(until);
  });
}

/** What becomes of a search after a fault, and what its owner reads. */
interface Consequence {
  readonly status: SearchStatus;
  readonly sentence: RegExp;
}

const WHOLE_BODY = 50_000_000;

/** Faults of every platform over HTTP, and what they mean unless a platform says more. */
const FAULTS = {
  "credentials that are rejected": [{ kind: "status", status: 401 }, "auth_failed", /rejects the credentials.*renew/],
  "an app without the permission": [{ kind: "status", status: 403 }, "auth_failed", /forbids.*access/],
  "too many requests": [{ kind: "status", status: 429, headers: { "Retry-After": "600" } }, "failing", /too many/],
  "a wrong request": [{ kind: "status", status: 400 }, "failing", /refuses the request \(400\)/],
  "a missing address": [{ kind: "status", status: 404 }, "failing", /404/],
  "an error of the server": [{ kind: "status", status: 500 }, "failing", /500.*retried/],
  "a server in maintenance": [{ kind: "status", status: 503 }, "failing", /503.*retried/],
  "a web page": [{ kind: "web-page" }, "failing", /web page/],
  "a redirect to a sign-in page": [{ kind: "sign-in-page" }, "auth_failed", /sign-in/],
  "half of the answer": [{ kind: "broken-json" }, "failing", /no JSON/],
  "an empty answer": [{ kind: "empty" }, "failing", /nothing/],
  "an answer of 50 MB": [{ kind: "padded", bytes: WHOLE_BODY }, "failing", /larger than/],
  "an answer without end": [{ kind: "endless" }, "failing", /larger than/],
  "an answer that stops": [{ kind: "stalled" }, "failing", /./],
  "a connection that is cut": [{ kind: "cut" }, "failing", /./],
  silence: [{ kind: "silent" }, "failing", /./],
} as const satisfies Record<string, readonly [Fault, SearchStatus, RegExp]>;

type FaultName = keyof typeof FAULTS;

const HOUR = 3_600_000;

/** What the suite must know of the look-ups of a platform. */
interface RecheckSuite<U extends Upstream> {
  /** The longest time for which a new posting may be stored unseen, in milliseconds. */
  readonly termMs: number;
  /** Deletes a posting upstream. */
  readonly remove: (upstream: U, id: string) => void;
  /** Changes a posting upstream, so that the JSON of the stored one contains `text` afterwards. */
  readonly change: (upstream: U, id: string) => { readonly text: string };
}

/** What becomes of stored postings that are changed or deleted upstream, with the connector's own look-ups. */
function describeRechecks<U extends Upstream>(
  { termMs, remove, change }: RecheckSuite<U>,
  worldOf: () => ConnectorWorld<U>,
): void {
  it("erases what was deleted upstream within the term, and nothing else", async () => {
    const tested = worldOf();
    const { insight, ids } = await collect(tested, 5);
    const [first = "", second = "", ...left] = ids;
    for (const id of [first, second]) remove(tested.upstream, id);
    await new Rechecker(tested.world).run(termMs);
    expect(await tested.stored(insight)).toEqual(left);
  });

  it("refreshes what was changed upstream within the term", async () => {
    const tested = worldOf();
    const { insight, ids } = await collect(tested, 3);
    const { text } = change(tested.upstream, ids[1] ?? "");
    await new Rechecker(tested.world).run(termMs);
    expect(await tested.stored(insight)).toEqual(ids);
    const stored = await tested.world.collections.postings.find({ insightId: insight.id });
    expect(stored.filter(({ content }) => JSON.stringify(content).includes(text))).toHaveLength(1);
  });

  it("changes nothing of what is as it was", async () => {
    const tested = worldOf();
    const { insight } = await collect(tested, 3);
    const read = async () => {
      const stored = await tested.world.collections.postings.find({ insightId: insight.id });
      return stored.map(({ content, version }) => [version, content]);
    };
    const before = await read();
    await new Rechecker(tested.world).run(termMs);
    expect(await read()).toEqual(before);
  });

  describeFailures(remove, termMs, worldOf);
}

function describeFailures<U extends Upstream>(
  remove: RecheckSuite<U>["remove"],
  termMs: number,
  worldOf: () => ConnectorWorld<U>,
): void {
  it("erases nothing while the platform fails, and continues afterwards", async () => {
    const tested = worldOf();
    const { insight, ids } = await collect(tested, 3);
    remove(tested.upstream, ids[0] ?? "");
    const rechecker = new Rechecker(tested.world);
    for (const fault of [
      { kind: "status", status: 503 },
      { kind: "empty" },
      { kind: "status", status: 404, body: {} },
    ] as const) {
      tested.upstream.failAlways(fault);
      await rechecker.run(termMs);
      expect(await tested.stored(insight)).toEqual(ids);
    }
    tested.upstream.failAlways(undefined);
    await rechecker.run(4 * HOUR);
    expect(await tested.stored(insight)).toEqual(ids.slice(1));
  });
}

/** Stores some postings, pauses the search, so that no poll sees them again, and returns their ids. */
async function collect<U extends Upstream>(tested: ConnectorWorld<U>, count: number) {
  const insight = await tested.insight();
  const ids = tested.post(count);
  await tested.pollToEnd(insight);
  await tested.world.pause(insight);
  return { insight, ids: ids.sort() };
}

/** Where the postings of an answer in JSON are. */
interface AnswerShape {
  /** The items; the suite changes them. */
  readonly itemsOf: (body: unknown) => Record<string, unknown>[];
  /** Fields without which an item is no posting. */
  readonly required: readonly string[];
  /** Requests of a page before the one whose answer holds the items, such as a sign-in. Default: none. */
  readonly before?: number;
  /** Path of the requests for tokens, if the fake spares them from faults: it answers them itself. */
  readonly tokenPath?: string;
}

const MUTATED_PAGES = 300;
const WRONG: readonly unknown[] = [null, 7, "text", true, [], {}, [null], { a: [1] }];

type Change = (items: Record<string, unknown>[], body: unknown) => void;

/** What a connector does with answers that are not as documented. */
function describeAnswers<U extends Upstream>(shape: AnswerShape, worldOf: WorldOf<U>): void {
  describe("an answer", () => {
    describeItems(shape, worldOf);

    it("whatever it holds, gives a page or a sentence for people", async () => {
      const tested = worldOf();
      tested.post(3);
      const bodies = await bodiesOf(tested);
      let answers: unknown[] = [];
      const connector = await tested.connector(answering(() => answers.shift() ?? null, shape, tested));
      await fc.assert(
        fc.asyncProperty(mutations, async (changes) => {
          answers = bodies.map((body, asked) => (asked === (shape.before ?? 0) ? mutated(body, changes) : body));
          const outcome: unknown = await connector.fetchPage(tested.request()).catch((error: unknown) => error);
          if (outcome instanceof PlatformError) expect(outcome.message).toMatch(/\.$/);
          else mustBePage(outcome as Page);
        }),
        { numRuns: repeats(MUTATED_PAGES) },
      );
    });
  });
}

function describeItems<U extends Upstream>(shape: AnswerShape, worldOf: WorldOf<U>): void {
  const { required } = shape;

  it("with new fields gives the same postings", async () => {
    const tested = worldOf();
    tested.post(3);
    const page = await (await tested.connector()).fetchPage(tested.request());
    const changed = await pageAfter(shape, tested, (items, body) => {
      for (const item of [...items, body as Record<string, unknown>]) item["new_in_3_0"] = { nested: [1, "two"] };
    });
    expect(changed.postings).toEqual(page.postings);
  });

  it.each(required)("whose item has no %s gives the other items, and counts the bad one", async (field) => {
    worldOf().post(3);
    const page = await pageAfter(shape, worldOf(), ([first = {}]) => Reflect.deleteProperty(first, field));
    expect(page).toMatchObject({ skipped: 1 });
    expect(page.postings).toHaveLength(2);
  });

  it("whose item is none gives the other items, and counts the bad one", async () => {
    worldOf().post(3);
    const page = await pageAfter(shape, worldOf(), (items) => items.splice(1, 1, null as never));
    expect([page.skipped, page.postings.length]).toEqual([1, 2]);
  });

  it("with values of other types in fields that may be missing gives all items", async () => {
    worldOf().post(3);
    for (const wrong of WRONG) {
      const page = await pageAfter(shape, worldOf(), (items) => {
        for (const item of items) {
          for (const key of Object.keys(item)) if (!required.includes(key)) item[key] = wrong;
        }
      });
      expect(page.postings, JSON.stringify(wrong)).toHaveLength(3);
    }
  });
}

/** The page that a connector gives for an answer after a change. */
async function pageAfter<U extends Upstream>(
  { itemsOf, before = 0 }: AnswerShape,
  tested: ConnectorWorld<U>,
  change: Change,
): Promise<Page> {
  const changed = (body: unknown): unknown => {
    change(itemsOf(body), body);
    return body;
  };
  const unchanged = (body: unknown): unknown => body;
  for (let asked = 0; asked < before; asked += 1) tested.upstream.failNext({ kind: "changed", change: unchanged });
  tested.upstream.failNext({ kind: "changed", change: changed });
  return (await tested.connector()).fetchPage(tested.request());
}

/** The bodies that answer the requests of a page. */
async function bodiesOf<U extends Upstream>(tested: ConnectorWorld<U>): Promise<readonly unknown[]> {
  const connector = await tested.connector();
  const { requests } = await connector.fetchPage(tested.request());
  const bodies: unknown[] = [];
  const change = (body: unknown): unknown => {
    bodies.push(structuredClone(body));
    return body;
  };
  for (let request = 0; request < requests; request += 1) tested.upstream.failNext({ kind: "changed", change });
  await connector.fetchPage(tested.request());
  return bodies;
}

function mustBePage({ postings, skipped }: Page): void {
  expect(skipped).toBeGreaterThanOrEqual(0);
  for (const posting of postings) {
    expect(posting.postedAt).toSatisfy(Number.isFinite);
    expect(JSON.parse(JSON.stringify(posting))).toEqual(posting);
  }
}

/** A client that answers every request with the JSON of a value, but those for tokens. */
function answering<U extends Upstream>(
  valueOf: () => unknown,
  { tokenPath }: AnswerShape,
  { http }: ConnectorWorld<U>,
): Pick<HttpClient, "request"> {
  return {
    request: (url, request) => {
      if (new URL(url).pathname === tokenPath) return http.request(url, request);
      const text = toJson(valueOf());
      const answer: HttpAnswer = {
        url,
        permanentUrl: url,
        status: 200,
        headers: {},
        body: (async function* () {
          yield await Promise.resolve(Buffer.from(text));
        })(),
        bytes: () => Promise.resolve(Buffer.from(text)),
        text: () => Promise.resolve(text),
        close: () => undefined,
      };
      return Promise.resolve(answer);
    },
  };
}
