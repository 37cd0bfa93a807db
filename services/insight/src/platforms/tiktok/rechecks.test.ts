import { TiktokUpstream } from "@hourglass/demo";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Rechecker } from "../../collector/testing/collector-world.js";
import type { LookUp } from "../connector.js";
import { ConnectorWorld } from "../testing/connector-world.js";
import { TIKTOK } from "./index.js";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const TERM = 15 * DAY;

let opened: ConnectorWorld<TiktokUpstream>;

async function open(requestsPerDay: number): Promise<void> {
  opened = await ConnectorWorld.open({
    module: TIKTOK,
    start: (now) => TiktokUpstream.start({ key: "client", secret: "secret", now }),
    env: ({ origin }) => ({
      TIKTOK_CLIENT_KEY: "client",
      TIKTOK_CLIENT_SECRET: "secret",
      TIKTOK_BASE_URL: origin,
      TIKTOK_REQUESTS_PER_DAY: String(requestsPerDay),
    }),
  });
}

beforeEach(() => open(1000));
afterEach(() => opened.close());

interface Asked {
  readonly query: {
    readonly and: readonly { readonly field_name: string; readonly field_values: readonly string[] }[];
  };
  readonly start_date: string;
  readonly end_date: string;
}

async function lookUp(...ids: string[]): Promise<LookUp> {
  const { rechecks } = await opened.connector();
  if (rechecks === undefined) throw new Error("it cannot look up");
  return rechecks.lookUp({ ids, stored: new Map(), signal: new AbortController().signal });
}

const ago = (span: number): number => opened.world.time - span;
const post = (days: number): string => opened.upstream.post({ at: ago(days * DAY) });
const removed = (span: number): string => {
  const id = opened.upstream.post({ at: ago(span) });
  opened.upstream.timeline.remove(id);
  return id;
};
/** The requests for videos by their ids. */
const asked = (): Asked[] =>
  opened.upstream.seen
    .filter(({ path }) => path.includes("/video/query/"))
    .map(({ body }) => JSON.parse(body) as Asked)
    .filter(({ query }) => query.and[0]?.field_name === "video_id");
const daysOf = ({ start_date: from, end_date: to }: Asked): number => (timeOf(to) - timeOf(from)) / DAY;
const timeOf = (day: string): number => Date.parse(day.replace(/(....)(..)(..)/, "$1-$2-$3"));

describe("a look-up of videos", () => {
  it("asks for the ids within the days that they tell, and some more for videos that were scheduled", async () => {
    const ids = [post(20), post(12)];
    expect(await lookUp(...ids)).toMatchObject({ found: [{ socialId: ids[1] }, { socialId: ids[0] }], gone: [] });
    const condition = { operation: "IN", field_name: "video_id", field_values: ids };
    expect(asked()).toMatchObject([{ query: { and: [condition] }, start_date: "20261101", end_date: "20261120" }]);
  });

  it("finds a video that was posted days after its id was given", async () => {
    const id = removed(20 * DAY);
    opened.upstream.post({ id, at: ago(11 * DAY) });
    expect(await lookUp(id)).toMatchObject({ found: [{ socialId: id }], gone: [] });
  });

  it("calls gone what is missing, unless TikTok may not have found it yet", async () => {
    const [old, young] = [removed(4 * DAY), removed(25 * HOUR)];
    expect(await lookUp(old, young)).toEqual({ found: [], gone: [old] });
  });

  it("reads all pages before it calls anything gone", async () => {
    opened.upstream.pageMax = 2;
    const [ids, gone] = [[post(9), post(8), post(7), post(6), post(5)], removed(5 * DAY)];
    const answer = await lookUp(...ids, gone);
    expect(answer.found.map(({ socialId }) => socialId).sort()).toEqual([...ids].sort());
    expect(answer.gone).toEqual([gone]);
    expect(asked()).toHaveLength(3);
  });

  it("calls nothing gone after pages that have no end", async () => {
    opened.upstream.timeline.irregular.loops = true;
    opened.upstream.pageMax = 1;
    const [, gone] = [post(6), removed(5 * DAY)];
    expect((await lookUp(post(7), gone)).gone).toEqual([]);
  });

  it("calls nothing gone if a video of the answer cannot be read", async () => {
    const broken = opened.upstream.post({ at: ago(5 * DAY), extra: { create_time: "yesterday" } });
    expect(await lookUp(broken, removed(5 * DAY))).toEqual({ found: [], gone: [] });
  });

  it("sends no ids that TikTok never gave", async () => {
    expect(await lookUp("12", "t3_kestrel", "9".repeat(19), "1".repeat(16))).toEqual({ found: [], gone: [] });
    expect(opened.upstream.seen).toEqual([]);
  });

  it("is repeated once with a new token", async () => {
    const id = post(5);
    await lookUp(id);
    opened.upstream.revokeToken();
    expect((await lookUp(id)).found).toHaveLength(1);
  });

  it("waits for its budget before a request", async () => {
    await opened.close();
    await open(1);
    const id = post(5);
    await lookUp(id);
    await expect(lookUp(id)).rejects.toMatchObject({ kind: "budget" });
    expect(asked()).toHaveLength(1);
  });
});

describe("the recheck of stored videos", () => {
  it("asks for those of more than 30 days in several requests", async () => {
    const insight = await opened.insight();
    const ids = [];
    for (let count = 0; count < 3; count += 1) {
      ids.push(opened.upstream.post({ at: ago(HOUR) }));
      await opened.pollToEnd(insight);
      opened.world.time += 20 * DAY;
    }
    await opened.world.pause(insight);
    opened.upstream.timeline.remove(ids[0] ?? "");
    await new Rechecker(opened.world).run(TERM);
    expect(await opened.stored(insight)).toEqual(ids.slice(1));
    expect(asked().length).toBeGreaterThan(1);
    for (const request of asked()) expect(daysOf(request)).toBeLessThanOrEqual(30);
  });

  it("keeps what is spoken where a search asks for it", async () => {
    const plain = await opened.insight({ dimensions: ["textual"] });
    const audial = await opened.insight({ dimensions: ["textual", "audial"] });
    const id = opened.upstream.post({ at: ago(HOUR), text: "A kestrel", speech: "spoken words" });
    for (const insight of [plain, audial]) {
      await opened.pollToEnd(insight);
      await opened.world.pause(insight);
    }
    opened.upstream.timeline.edit(id, (video) => ({ ...video, likes: 777 }));
    await new Rechecker(opened.world).run(TERM);
    const texts = async (of: number): Promise<unknown[]> => {
      const stored = await opened.world.collections.postings.find({ insightId: of });
      return stored.map(({ content: { text, counts }, version }) => [text, counts?.like_count, version]);
    };
    expect(await texts(plain.id)).toEqual([["A kestrel", 777, 1]]);
    expect(await texts(audial.id)).toEqual([["A kestrel\n\nspoken words", 777, 1]]);
  });
});
