import { toJson } from "@hourglass/demo";
import type { HttpAnswer, HttpClient } from "@hourglass/runtime";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PlatformError } from "../port/platform-error.js";
import type { Page } from "../port/platform.js";
import type { ConnectorWorld, Upstream } from "./connector-world.js";
import { mutated, mutations } from "./mutations.js";

/** Where the postings of an answer in JSON are. */
export interface AnswerShape {
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

type WorldOf<U extends Upstream> = () => ConnectorWorld<U>;
type Change = (items: Record<string, unknown>[], body: unknown) => void;

/** What a connector does with answers that are not as documented. */
export function describeAnswers<U extends Upstream>(shape: AnswerShape, worldOf: WorldOf<U>): void {
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
        { numRuns: MUTATED_PAGES },
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
