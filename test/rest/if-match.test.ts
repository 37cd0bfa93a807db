import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FeedServer } from "../support/feed-server.js";
import { startServer, TRANSPORTS, type Answer, type TestServer } from "../support/server.js";
import { fieldsOf, INSIGHTS, User, USERS, type Failure } from "./routes.js";

/** What a client does with a tag, of each kind of record that can be changed. */
describe.each(TRANSPORTS)("If-Match over %s", (transport) => {
  let server: TestServer;
  let feeds: FeedServer;
  let user: User;
  let made = 0;

  beforeAll(async () => {
    feeds = await FeedServer.start();
    server = await startServer({ ALLOW_PRIVATE_URLS: "true", COLLECT_INTERVAL_SECONDS: "1" }, transport);
    user = await User.signIn(server);
  });
  afterAll(async () => {
    await server.close();
    await feeds.close();
  });

  async function createUser(): Promise<string> {
    const answer = await user.post(USERS, { email: `if-match-${++made}@example.com` });
    expect(answer.status, answer.text).toBe(201);
    return answer.headers.get("location") ?? "";
  }

  async function createInsight(): Promise<string> {
    const follow = { feeds: [feeds.url(`/if-match-${++made}`)] };
    const query = { keywords: "kestrel", platforms: ["news"], dimensions: ["textual"], follow };
    const answer = await user.post(INSIGHTS, { query });
    expect(answer.status, answer.text).toBe(200);
    return answer.headers.get("location") ?? "";
  }

  const tagOf = (answer: Answer) => answer.headers.get("etag") ?? "";
  const read = async (path: string) => tagOf(await user.get(path));
  const change = (path: string, body: object, tag: string) =>
    user.send("PATCH", path, { body, headers: { "if-match": tag } });
  const expectRefused = ({ status, body, text }: Answer) => {
    expect(status, text).toBe(412);
    expect(body).toMatchObject({ code: "precondition_failed" });
    expect((body as Failure).error).toContain("Read it again");
  };

  describe.each([
    ["a user", createUser, (text: string) => ({ first_name: text })],
    ["an insight", createInsight, (text: string) => ({ name: text })],
  ])("on %s", (_kind, create, named) => {
    it("lets a change through while the record is as it was read, and refuses it afterward", async () => {
      const path = await create();
      const tag = await read(path);
      const first = await change(path, named("First"), tag);
      expect(first.status, first.text).toBe(200);
      expectRefused(await change(path, named("Second"), tag));
      expect((await user.get(path)).body).toMatchObject(named("First"));
      // The tag of the answer is as good as that of another read.
      expect((await change(path, named("Third"), tagOf(first))).status).toBe(200);
      expect((await change(path, named("Fourth"), `"zzz", ${await read(path)}`)).status).toBe(200);
      expectRefused(await user.send("DELETE", path, { headers: { "if-match": tag } }));
      const gone = await user.send("DELETE", path, { headers: { "if-match": await read(path) } });
      expect(gone.status, gone.text).toBeLessThan(300);
    });

    it("lets one of several changes at once through", async () => {
      const path = await create();
      const tag = await read(path);
      const texts = ["A", "B", "C", "D", "E"];
      const answers = await Promise.all(texts.map((text) => change(path, named(text), tag)));
      const won = texts.filter((_, index) => answers[index]?.status === 200);
      expect(won).toHaveLength(1);
      for (const answer of answers) if (answer.status !== 200) expectRefused(answer);
      expect((await user.get(path)).body).toMatchObject(named(won[0] ?? ""));
    });

    it("takes a tag of a compressed answer, a star, and no weak tag", async () => {
      const path = await create();
      const { headers } = await user.get(path, { "accept-encoding": "gzip" });
      expect((await change(path, named("A"), headers.get("etag") ?? "")).status).toBe(200);
      expect((await change(path, named("B"), "*")).status).toBe(200);
      expectRefused(await change(path, named("C"), `W/${await read(path)}`));
      expectRefused(await change(path, named("C"), '"never"'));
    });

    it("names what is no tag, besides what else is wrong, and what is no record", async () => {
      const path = await create();
      const answer = await change(path, named("A"), "abc");
      expect(answer.status).toBe(400);
      expect(fieldsOf(answer)).toEqual(["If-Match"]);
      expect((await change(path.replace(/\d+$/, "999999"), named("A"), '"abc"')).status).toBe(404);
      const many = await change(path, named("A"), Array.from({ length: 101 }, (_, index) => `"${index}"`).join());
      expect([many.status, ...fieldsOf(many)]).toEqual([400, "If-Match"]);
    });
  });

  it("holds while an insight collects, and the tag still says whether the whole answer is the same", async () => {
    const path = await createInsight();
    const [address] = ((await user.get(path)).body as { query: { follow: { feeds: string[] } } }).query.follow.feeds;
    const before = await read(path);
    const item = { guid: "1", title: "A kestrel", text: "I love it.", at: new Date() };
    feeds.feeds.set(new URL(address ?? "").pathname, [item]);
    const count = async () => ((await user.get(path)).body as { posting_count: number }).posting_count;
    await expect.poll(count).toBe(1);
    expect((await user.get(path, { "if-none-match": before })).status).toBe(200);
    const changed = await change(path, { note: "Mine" }, before);
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body).toMatchObject({ note: "Mine", posting_count: 1 });
  });
});
