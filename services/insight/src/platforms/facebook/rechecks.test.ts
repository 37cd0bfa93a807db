import { DEMO_PAGE, type DemoPage, MetaUpstream } from "@hourglass/demo";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Rechecker } from "../../collector/testing/collector-world.js";
import type { LookUp } from "../connector.js";
import type { PostingDraft } from "../posting-draft.js";
import { ConnectorWorld, type Upstream } from "../testing/connector-world.js";
import { FACEBOOK } from "./index.js";

const HOUR = 60 * 60_000;
const TERM = 30 * 24 * HOUR;
const TOKEN = "EAATOKEN12345";
const OTHER: DemoPage = { id: "100000000000002", username: "merlin.demo", name: "Merlin (invented)" };

let meta: MetaUpstream;
let opened: ConnectorWorld<Upstream>;

async function open(requestsPerHour: number): Promise<void> {
  opened = await ConnectorWorld.open({
    module: FACEBOOK,
    start: async (now) => {
      meta = await MetaUpstream.start({ token: TOKEN, now });
      return Object.assign(meta, { post: () => meta.facebook.post() });
    },
    env: () => ({
      FACEBOOK_ACCESS_TOKEN: TOKEN,
      FACEBOOK_PAGES: `${DEMO_PAGE.username},${OTHER.username}`,
      FACEBOOK_BASE_URL: meta.origin,
      FACEBOOK_REQUESTS_PER_HOUR: String(requestsPerHour),
    }),
  });
  meta.facebook.addPage(OTHER);
}

beforeEach(() => open(1000));
afterEach(() => opened.close());

type Stored = Pick<PostingDraft, "type" | "moreInfo">;
const ON_PAGE: Stored = { type: "mobile_status_update", moreInfo: { page: DEMO_PAGE.username } };
const COMMENT: Stored = { type: "comment", moreInfo: { page: DEMO_PAGE.username } };

async function lookUp(ids: readonly string[], as: Stored = ON_PAGE): Promise<LookUp> {
  const { rechecks } = await opened.connector();
  if (rechecks === undefined) throw new Error("it cannot look up");
  const stored = new Map(ids.map((socialId) => [socialId, { socialId, postedAt: 0, ...as }]));
  return rechecks.lookUp({ ids, stored, signal: new AbortController().signal });
}

const posts = (count: number, page = DEMO_PAGE): string[] =>
  Array.from({ length: count }, () => meta.facebook.post({ page }));
const removed = (): string => {
  const [id = ""] = posts(1);
  meta.facebook.remove(id);
  return id;
};
const idsOf = ({ found }: LookUp): (string | undefined)[] => found.map(({ socialId }) => socialId).sort();

describe("a look-up of posts", () => {
  it("asks for all of them with one request", async () => {
    const ids = posts(20);
    const answer = await lookUp(ids);
    expect([idsOf(answer), answer.gone]).toEqual([ids, []]);
    expect(meta.seen).toHaveLength(1);
    expect(meta.seen[0]).toMatchObject({ path: "/v25.0/" });
  });

  it("finds those that are gone among the others, although Meta answers for none of them", async () => {
    const gone = [removed(), removed()];
    const ids = posts(18);
    const all = [gone[0] ?? "", ...ids, gone[1] ?? ""];
    expect(await lookUp(all).then((answer) => [idsOf(answer), answer.gone])).toEqual([ids, gone]);
  });

  it("finds those that are gone if Meta leaves them out", async () => {
    meta.facebook.leavesOutMissing = true;
    const [gone, ids] = [removed(), posts(2)];
    expect(await lookUp([gone, ...ids]).then((answer) => [idsOf(answer), answer.gone])).toEqual([ids, [gone]]);
  });

  it.each([false, true])("calls nothing gone whose page is not shown to the app (left out: %s)", async (leavesOut) => {
    meta.facebook.leavesOutMissing = leavesOut;
    const [ids, others] = [posts(3), posts(3, OTHER)];
    meta.facebook.hide(OTHER);
    const stored = new Map([...ids, ...others].map((socialId) => [socialId, { socialId, postedAt: 0 }]));
    const request = { ids: [...stored.keys()], stored, signal: new AbortController().signal };
    const answer = await (await opened.connector()).rechecks?.lookUp(request);
    expect(answer && [idsOf(answer), answer.gone]).toEqual([ids, []]);
  });

  it("that the app may no longer read fails, and calls nothing gone", async () => {
    const ids = posts(2);
    meta.facebook.forbid(DEMO_PAGE);
    await expect(lookUp(ids)).rejects.toMatchObject({ kind: "permanent", isForbidden: true });
  });

  it("sends no ids that Facebook never gave", async () => {
    expect(await lookUp(["t3_kestrel", "a,b", ""])).toMatchObject({ found: [], gone: [] });
    expect(meta.seen).toEqual([]);
  });

  it("counts as far as the budget lasted, and continues when it is there again", async () => {
    await opened.close();
    await open(20);
    const ids = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? removed() : (posts(1)[0] ?? "")));
    const answer = await lookUp(ids);
    expect(answer.found.length + answer.gone.length).toBeGreaterThan(0);
    expect(answer.found.length + answer.gone.length).toBeLessThan(ids.length);
    expect(answer.notBefore).toBeGreaterThan(opened.world.time);
    await expect(lookUp(ids)).rejects.toMatchObject({ kind: "budget" });
  });
});

describe("a look-up of comments", () => {
  it("asks for them apart from posts, and finds which are gone", async () => {
    const [post = ""] = posts(1);
    const [kept, gone] = [meta.facebook.comment(post, { text: "Mine broke" }), meta.facebook.comment(post)];
    meta.facebook.removeComment(gone);
    const answer = await lookUp([kept, gone], COMMENT);
    expect(answer).toMatchObject({ found: [{ socialId: kept, text: "Mine broke", type: "comment" }], gone: [gone] });
  });
});

describe("the recheck of stored posts and comments", () => {
  it("erases what is gone, and keeps of a comment what its post told", async () => {
    const insight = await opened.insight();
    const post = meta.facebook.post({ at: opened.world.time - HOUR, text: "A kestrel" });
    const gone = meta.facebook.post({ at: opened.world.time - HOUR, text: "Another kestrel" });
    const comment = meta.facebook.comment(post, { text: "A kestrel, at last" });
    const goneToo = meta.facebook.comment(post, { text: "A kestrel? No." });
    await opened.pollToEnd(insight);
    await opened.world.pause(insight);
    const read = async () => (await opened.world.collections.postings.find({ socialId: comment }))[0]?.content;
    const before = await read();
    meta.facebook.remove(gone);
    meta.facebook.removeComment(goneToo);
    await new Rechecker(opened.world).run(TERM);
    expect(await opened.stored(insight)).toEqual([post, comment].sort());
    expect(await read()).toEqual(before);
  });
});
