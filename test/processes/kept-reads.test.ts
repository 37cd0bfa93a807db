import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Deployment, type Topology } from "../support/deployment.js";
import { EMAIL, PASSWORD, TEST_SETTINGS } from "../support/server.js";
import { embeddedTestStorage, type TestStorage } from "../support/test-storage.js";
import { runAdmin } from "./admin-command.js";

const OPERATIONS = "/api/v2/products/api/operations";
const INSIGHTS = "/api/v2/products/insight";
const USER_PASSWORD = "another long passphrase";
/** By when a change by the operator holds everywhere, in milliseconds; it takes a second. */
const CHANGED_MS = 10_000;

/** What has been read is kept, so each of these tests reads first, and again what it may no longer read. */
describe.each<Topology>(["one-process", "processes"])("an operation that was read, %s", (topology) => {
  let storage: TestStorage;
  let product: Deployment;

  beforeAll(async () => {
    storage = await embeddedTestStorage();
    product = await Deployment.prepare({ topology, env: { ...TEST_SETTINGS, ...storage.env } });
    product.start();
    await product.ready();
  });
  afterAll(async () => {
    await product.end("SIGTERM");
    await storage.remove();
  });

  const admin = async (...args: string[]) =>
    expect(await runAdmin({ ...storage.env, ADMIN_PASSWORD: USER_PASSWORD }, args)).toMatchObject({ code: 0 });

  const send = (path: string, authorization: string, init: RequestInit = {}) =>
    fetch(product.url + path, { ...init, headers: { authorization, "content-type": "application/json" } });

  const signIn = async (email = EMAIL, password = PASSWORD) => {
    const body = JSON.stringify({ user: { email, password } });
    return (await send("/api/v1/users/sign_in", "", { method: "POST", body })).headers.get("authorization") ?? "";
  };

  /** A company with a user who has read an operation twice; the second time, only whether it still is there was asked. */
  const readTwice = async (name: string) => {
    const email = `ann@${name}.example`;
    await admin("company", "create", "--name", name, "--products", "api");
    await admin("user", "create", "--email", email, "--company", name);
    const authorization = await signIn(email, USER_PASSWORD);
    const text = `The ${name} museum is lovely.`;
    const body = JSON.stringify({ type: "text", analyses: ["sentiment-simple"], contents: [text] });
    const created = await send(OPERATIONS, authorization, { method: "POST", body });
    const path = `${OPERATIONS}/${((await created.json()) as { id: number }).id}`;
    expect(await (await send(`${path}?wait=60`, authorization)).json()).toMatchObject({ status: "done" });
    for (let read = 0; read < 2; read++) expect(await (await send(path, authorization)).text()).toContain(text);
    return { path, authorization, email, text };
  };

  const expectStatus = (status: number, path: string, authorization: string) =>
    expect.poll(async () => (await send(path, authorization)).status, { timeout: CHANGED_MS }).toBe(status);

  it("is gone at once when it is deleted", async () => {
    const { path, authorization } = await readTwice("deleted");
    expect((await send(path, authorization, { method: "DELETE" })).status).toBe(204);
    expect((await send(path, authorization)).status).toBe(404);
  });

  it("is no other company's", async () => {
    const { path, text } = await readTwice("mine");
    const stranger = await signIn();
    const answer = await send(path, stranger);
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain(text);
  });

  it("is refused when the product is switched off, and served when it is on again", async () => {
    const { path, authorization } = await readTwice("switched");
    const set = (active: string) =>
      admin("product", "set", "--company", "switched", "--uid", "api", "--active", active);
    await set("false");
    await expectStatus(403, path, authorization);
    await set("true");
    await expectStatus(200, path, authorization);
  });

  it("is refused when the sessions of the user have ended", async () => {
    const { path, authorization, email } = await readTwice("ended");
    await admin("user", "set-password", "--email", email);
    await expectStatus(401, path, authorization);
  });

  it("is refused when the user is gone", async () => {
    const { path, authorization, email } = await readTwice("left");
    await admin("user", "delete", "--yes", "--email", email);
    await expectStatus(401, path, authorization);
  });

  it("leaves the page and the summary that name it when it is a posting that is erased", async () => {
    const authorization = await signIn();
    const query = { keywords: "museum", platforms: ["reddit"], dimensions: ["textual"] };
    const created = await send(INSIGHTS, authorization, { method: "POST", body: JSON.stringify({ query }) });
    const insight = created.headers.get("location") ?? "";
    const lines = [1, 2].map((number) => ({
      platform: "reddit",
      social_id: `p${number}`,
      text_of_post: `The museum is lovely, ${number}.`,
      post_date: "1/31/2026",
      post_time: "10:20:30",
    }));
    const imported = await fetch(`${product.url}${insight}/postings`, {
      method: "POST",
      headers: { authorization, "content-type": "application/x-ndjson" },
      body: lines.map((line) => JSON.stringify(line)).join("\n"),
    });
    expect(imported.status).toBe(200);
    const page = async () => (await send(`${insight}/postings`, authorization)).text();
    const summary = `${insight}/summary?start_date=2026-01-01&end_date=2026-02-28`;
    const counted = async () => /"postings":(\d+)/.exec(await (await send(summary, authorization)).text())?.[1];
    await expect.poll(page, { timeout: 60_000 }).toMatch(/lovely, 2.*lovely, 1|lovely, 1.*lovely, 2/s);
    for (let read = 0; read < 2; read++)
      expect([await counted(), (await page()).includes("lovely, 2")]).toEqual(["2", true]);
    const erased = await send(`${INSIGHTS}/postings?platform=reddit&social_id=p2`, authorization, { method: "DELETE" });
    expect(await erased.json()).toEqual({ deleted: 1 });
    expect(await page()).not.toContain("lovely, 2");
    expect(await counted()).toBe("1");
    expect((await send(insight, authorization, { method: "DELETE" })).status).toBe(204);
    for (const path of [`${insight}/postings`, summary]) expect((await send(path, authorization)).status).toBe(404);
  });

  it("is gone when the company is erased", async () => {
    const { path, authorization } = await readTwice("erased");
    await admin("company", "delete", "--name", "erased", "--with-data", "--yes");
    await expectStatus(401, path, authorization);
  });
});
