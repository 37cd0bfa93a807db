import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EMAIL, PASSWORD, startServer, TRANSPORTS, type Answer, type TestServer } from "../support/server.js";
import { admin, USER_PASSWORD } from "./admin.js";
import { type ApiDocument, Documented } from "./documented.js";
import {
  AUDIT,
  EXPORTS,
  fieldsOf,
  INSIGHTS,
  KEYS,
  ME,
  OPERATIONS,
  SIGN_IN,
  TEXT_OPERATION,
  User,
  USERS,
  type Failure,
} from "./routes.js";

/** What was ended is ended everywhere after so long. */
const ENDS_WITHIN = { timeout: 10_000, interval: 100 };
const NEW_PASSWORD = "yet another long passphrase";
const QUERY = { keywords: "kestrel", platforms: ["news"], dimensions: ["textual"] };

describe.each(TRANSPORTS)("accounts with services %s", (transport) => {
  let server: TestServer;
  let owner: User;
  let documented: Documented;
  let document: ApiDocument;

  beforeAll(async () => {
    server = await startServer({ NEWS_FEEDS: "none" }, transport);
    owner = await User.signIn(server);
    document = (await server.send("GET", "/openapi.json")).body as ApiDocument;
    documented = new Documented(document);
  });
  afterAll(() => server.close());

  function expectDocumented(answer: Answer, place: string): void {
    const [method = "", path = ""] = place.split(" ");
    const { content } = document.paths[path]?.[method]?.responses[answer.status] ?? {};
    const schema = content?.["application/json"]?.schema;
    if (schema === undefined) throw new Error(`${answer.status} of ${place} is not in the document: ${answer.text}`);
    expect(documented.differences(answer.body, schema)).toEqual([]);
  }

  const statusOf = async (authorization: string, path = ME) =>
    (await server.send("GET", path, { authorization })).status;

  async function makeKey(body: object): Promise<{ id: number; authorization: string }> {
    const answer = await owner.post(KEYS, body);
    expect(answer.status, answer.text).toBe(201);
    const { id, key } = answer.body as { id: number; key: string };
    expect(answer.headers.get("location")).toBe(`${KEYS}/${id}`);
    return { id, authorization: `Bearer ${key}` };
  }

  async function makeUser(email: string, role?: string): Promise<{ id: number; password: string }> {
    const answer = await owner.post(USERS, { email, role });
    expect(answer.status, answer.text).toBe(201);
    expectDocumented(answer, `post ${USERS}`);
    return answer.body as { id: number; password: string };
  }

  it("tell who one is", async () => {
    const answer = await owner.get(ME);
    expectDocumented(answer, `get ${ME}`);
    expect(answer.body).toMatchObject({ id: 1, email: EMAIL, role: "admin", key: null, company: { name: "Example" } });
    const { expires_at } = answer.body as { expires_at: string };
    expect(Math.abs(Date.parse(expires_at) - Date.now() - 86_400_000)).toBeLessThan(60_000);
  });

  it("end a session by signing out, everywhere, and no other", async () => {
    const user = await User.signIn(server);
    expect((await user.send("DELETE", SIGN_IN)).status).toBe(204);
    for (const path of [ME, OPERATIONS, INSIGHTS, EXPORTS]) {
      await expect.poll(() => statusOf(user.authorization, path), ENDS_WITHIN).toBe(401);
    }
    expect(await statusOf(owner.authorization)).toBe(200);
  });

  it("renew a token", async () => {
    const answer = await owner.send("POST", `${ME}/renew`);
    expect(answer.status).toBe(200);
    expectDocumented(answer, `post ${ME}/renew`);
    expect(await statusOf(answer.headers.get("authorization") ?? "")).toBe(200);
  });

  it("change a password, which ends other sessions", async () => {
    const { password } = await makeUser("changer@example.com");
    const [here, elsewhere] = [
      await User.signIn(server, "changer@example.com", password),
      await User.signIn(server, "changer@example.com", password),
    ];
    const put = (body: unknown) => here.send("PUT", `${ME}/password`, { body });
    const wrong = await put({ current_password: "wrong", password: NEW_PASSWORD });
    expect([wrong.status, fieldsOf(wrong)]).toEqual([400, ["current_password"]]);
    expect(fieldsOf(await put({ password: "short" })).sort()).toEqual(["current_password", "password"]);
    expect((await put({ current_password: password, password: NEW_PASSWORD })).status).toBe(204);
    await expect.poll(() => statusOf(elsewhere.authorization), ENDS_WITHIN).toBe(401);
    expect(await statusOf(here.authorization)).toBe(200);
    await expect(server.signIn("changer@example.com", NEW_PASSWORD)).resolves.toBeDefined();
  });

  describe("API keys", () => {
    it("are made, listed without themselves, used and deleted", async () => {
      const body = { name: "Dashboard", scopes: ["operations"], read_only: false, expires_at: null };
      const answer = await owner.post(KEYS, body);
      expectDocumented(answer, `post ${KEYS}`);
      const { id, key } = answer.body as { id: number; key: string };
      const listed = await owner.get(KEYS);
      expectDocumented(listed, `get ${KEYS}`);
      expect(listed.text).not.toContain(key);
      expect((listed.body as { keys: unknown[] }).keys[0]).toMatchObject({
        ...body,
        id,
        created_by: { user_id: 1, key_id: null, name: EMAIL },
        last_used_at: null,
      });
      const authorization = `Bearer ${key}`;
      const me = await server.send("GET", ME, { authorization });
      expectDocumented(me, `get ${ME}`);
      expect(me.body).toMatchObject({
        ...{ id: 1, email: EMAIL, role: "member", expires_at: null },
        key: { id, name: "Dashboard", scopes: ["operations"], read_only: false },
      });
      expect((await server.send("POST", OPERATIONS, { authorization, body: TEXT_OPERATION })).status).toBe(201);
      await expect
        .poll(
          async () =>
            ((await owner.get(KEYS)).body as { keys: { last_used_at: string | null }[] }).keys[0]?.last_used_at,
        )
        .not.toBeNull();
      expect((await owner.send("DELETE", `${KEYS}/${id}`)).status).toBe(204);
      for (const path of [ME, OPERATIONS])
        await expect.poll(() => statusOf(authorization, path), ENDS_WITHIN).toBe(401);
      expect((await owner.send("DELETE", `${KEYS}/${id}`)).status).toBe(404);
    });

    it("open what their scopes name, and say what is missing otherwise", async () => {
      const { authorization } = await makeKey({ name: "E", scopes: ["exports"] });
      const refused = await server.send("GET", OPERATIONS, { authorization });
      expect(refused.status).toBe(403);
      expect((refused.body as Failure).error).toBe(
        'This API key lacks the scope "operations". Make a key that has it.',
      );
      // An export is of insights, which the key cannot read otherwise.
      const { headers } = await owner.post(INSIGHTS, { query: QUERY });
      const insight = Number(headers.get("location")?.split("/").at(-1));
      const range = { insight_search_ids: [insight], start_date: "2026-01-01", end_date: "2026-01-02" };
      expect((await server.send("POST", EXPORTS, { authorization, body: range })).status).toBe(201);
      expect(await statusOf(authorization, `${INSIGHTS}/${insight}`)).toBe(403);
    });

    it("get no operation of the gateway's cache that they may not read", async () => {
      const operation = await owner.analyze(TEXT_OPERATION);
      const path = `${OPERATIONS}/${String(operation["id"])}`;
      const { authorization } = await makeKey({ name: "I", scopes: ["insights"] });
      for (let round = 0; round < 2; round += 1) {
        expect((await owner.get(path)).status).toBe(200);
        expect(await statusOf(authorization, path)).toBe(403);
      }
    });

    it("that only read may ask what a search would do, and create nothing", async () => {
      const { authorization } = await makeKey({ name: "R", scopes: ["insights"], read_only: true });
      const post = (path: string) => server.send("POST", path, { authorization, body: { query: QUERY } });
      expect((await post(`${INSIGHTS}/check`)).status).toBe(200);
      const refused = await post(INSIGHTS);
      expect([refused.status, (refused.body as Failure).code]).toEqual([403, "read_only_key"]);
    });

    it("end with their time", async () => {
      const { authorization } = await makeKey({
        name: "T",
        scopes: ["operations"],
        expires_at: new Date(Date.now() + 1500).toISOString(),
      });
      expect(await statusOf(authorization)).toBe(200);
      await expect.poll(() => statusOf(authorization, OPERATIONS), ENDS_WITHIN).toBe(401);
      expect(((await server.send("GET", ME, { authorization })).body as Failure).code).toBe("key_expired");
    });

    it.each([
      [{}, ["name", "scopes"]],
      [{ name: "", scopes: [] }, ["name", "scopes"]],
      [
        { name: "A", scopes: ["audit"], read_only: "yes", expires_at: "tomorrow" },
        ["scopes[0]", "read_only", "expires_at"],
      ],
      [{ name: "A", scopes: ["exports"], expires_at: "2020-01-01" }, ["expires_at"]],
      [{ name: "A", scopes: ["exports"], expires_at: "2026-02-30T00:00:00Z" }, ["expires_at"]],
    ])("names every wrong field of %j", async (body, fields) => {
      const answer = await owner.post(KEYS, body);
      expect([answer.status, fieldsOf(answer).sort()]).toEqual([400, [...fields].sort()]);
    });

    it("are made, listed and revoked by commands", async () => {
      const command = ["--company", "Example", "--name", "Nightly export", "--scopes", "exports,insights"];
      const printed = await admin(
        server.storage,
        "key",
        "create",
        ...command,
        "--read-only",
        "--expires",
        "2999-01-01",
      );
      const [, key = ""] = /Key: (hg_\w{40})/.exec(printed) ?? [];
      const authorization = `Bearer ${key}`;
      expect((await server.send("GET", ME, { authorization })).body).toMatchObject({
        ...{ id: null, email: null, role: "viewer", expires_at: "2999-01-01T00:00:00.000Z" },
        key: { name: "Nightly export", scopes: ["exports", "insights"], read_only: true },
      });
      const line = (await admin(server.storage, "key", "list"))
        .split("\n")
        .find((each) => each.includes("Nightly export"));
      expect(line).not.toContain(key);
      await admin(server.storage, "key", "revoke", "--yes", "--id", line?.split("\t")[0] ?? "");
      expect(await statusOf(authorization)).toBe(401);
    });
  });

  describe("users", () => {
    it("are made with a password that is shown once, changed and deleted by an admin", async () => {
      const { id, password } = await makeUser("bob@example.com", "viewer");
      const bob = await User.signIn(server, "bob@example.com", password);
      const refused = await bob.post(OPERATIONS, TEXT_OPERATION);
      expect([refused.status, (refused.body as Failure).code]).toEqual([403, "read_only_role"]);
      expect((await bob.get(OPERATIONS)).status).toBe(200);
      const changed = await owner.send("PATCH", `${USERS}/${id}`, { body: { role: "member", first_name: "Bob" } });
      expectDocumented(changed, `patch ${USERS}/{id}`);
      expect(changed.body).toMatchObject({
        id,
        email: "bob@example.com",
        role: "member",
        first_name: "Bob",
        active: true,
      });
      await expect.poll(async () => (await bob.post(OPERATIONS, TEXT_OPERATION)).status, ENDS_WITHIN).toBe(201);
      const listed = await owner.get(USERS);
      expectDocumented(listed, `get ${USERS}`);
      expect(listed.text).not.toContain(password);
      expect((await owner.send("PATCH", `${USERS}/${id}`, { body: { active: false } })).status).toBe(200);
      await expect.poll(() => statusOf(bob.authorization, OPERATIONS), ENDS_WITHIN).toBe(401);
      await expect(server.signIn("bob@example.com", password)).rejects.toThrow("401");
      const gone = await owner.send("DELETE", `${USERS}/${id}`);
      expectDocumented(gone, `delete ${USERS}/{id}`);
      expect([gone.status, gone.body]).toEqual([200, { keys_ended: [] }]);
      expect((await owner.send("DELETE", `${USERS}/${id}`)).status).toBe(404);
    });

    it("end with their API keys, unless an admin keeps these", async () => {
      const { id, password } = await makeUser("leaver@example.com", "member");
      const leaver = await User.signIn(server, "leaver@example.com", password);
      const keyOf = async (name: string) =>
        (await leaver.post(KEYS, { name, scopes: ["operations"] })).body as { id: number; key: string };
      const ended = await keyOf("Ends");
      const authorization = `Bearer ${ended.key}`;
      expect(await statusOf(authorization, OPERATIONS)).toBe(200);
      await owner.send("PATCH", `${USERS}/${id}`, { body: { role: "viewer" } });
      const write = async () => (await server.send("POST", OPERATIONS, { authorization, body: TEXT_OPERATION })).status;
      await expect.poll(write, ENDS_WITHIN).toBe(403);
      expect(await statusOf(authorization, OPERATIONS)).toBe(200);
      const locked = await owner.send("PATCH", `${USERS}/${id}`, { body: { active: false } });
      expect(locked.body).toMatchObject({ keys_ended: [{ id: ended.id, name: "Ends" }] });
      await expect.poll(() => statusOf(authorization, OPERATIONS), ENDS_WITHIN).toBe(401);
      await owner.send("PATCH", `${USERS}/${id}`, { body: { active: true, role: "member" } });
      const again = await User.signIn(server, "leaver@example.com", password);
      const kept = (await again.post(KEYS, { name: "Stays", scopes: ["operations"] })).body as {
        id: number;
        key: string;
      };
      expect((await owner.send("DELETE", `${USERS}/${id}?keep_keys=true`)).body).toEqual({ keys_ended: [] });
      expect(await statusOf(`Bearer ${kept.key}`, OPERATIONS)).toBe(200);
      const { keys } = (await owner.get(KEYS)).body as { keys: { id: number; created_by: unknown }[] };
      expect(keys.find((key) => key.id === kept.id)?.created_by).toMatchObject({ user_id: 1, name: EMAIL });
      await owner.send("DELETE", `${KEYS}/${kept.id}`);
    });

    it("are known by their names to the whole company", async () => {
      const { id } = await makeUser("named@example.com", "viewer");
      const whole = await owner.get(`${USERS}/${id}`);
      expectDocumented(whole, `get ${USERS}/{id}`);
      expect(whole.body).toMatchObject({ id, email: "named@example.com", role: "viewer", active: true });
      const viewer = await makeUser("reader@example.com", "viewer");
      const reader = await User.signIn(server, "reader@example.com", viewer.password);
      const names = await reader.get(`${USERS}/${id}`);
      expectDocumented(names, `get ${USERS}/{id}`);
      expect(names.body).toEqual({ id, first_name: "", last_name: "" });
    });

    it("keep an admin", async () => {
      for (const [method, body] of [["DELETE"], ["PATCH", { role: "member" }], ["PATCH", { active: false }]] as const) {
        const answer = await owner.send(method, `${USERS}/1`, { body });
        expect([answer.status, (answer.body as Failure).code]).toEqual([409, "last_admin"]);
      }
    });

    it.each([
      [{}, ["email"]],
      [{ email: "none", role: "owner", first_name: 5 }, ["email", "role", "first_name"]],
    ])("names every wrong field of %j", async (body, fields) => {
      const answer = await owner.post(USERS, body);
      expect([answer.status, fieldsOf(answer).sort()]).toEqual([400, [...fields].sort()]);
    });

    it("are 409 for an e-mail that somebody of the company has", async () => {
      const answer = await owner.post(USERS, { email: EMAIL });
      expect([answer.status, (answer.body as Failure).code, fieldsOf(answer)]).toEqual([
        409,
        "already_exists",
        ["email"],
      ]);
    });

    it("get their roles by commands", async () => {
      await admin(
        server.storage,
        "user",
        "create",
        "--email",
        "cli@example.com",
        "--company",
        "Example",
        "--role",
        "viewer",
      );
      const user = await User.signIn(server, "cli@example.com", USER_PASSWORD);
      expect((await user.get(ME)).body).toMatchObject({ role: "viewer" });
      await admin(server.storage, "user", "set-role", "--email", "cli@example.com", "--role", "admin");
      expect((await user.get(USERS)).status).toBe(200);
      const failed = admin(server.storage, "user", "set-role", "--email", "cli@example.com", "--role", "boss");
      await expect(failed).rejects.toThrow("Give one of these: admin, member, viewer.");
    });
  });

  it("record who did what, in every service, and by which key", async () => {
    const { id: keyId, authorization } = await makeKey({ name: "A", scopes: ["operations", "insights", "exports"] });
    const send = (method: string, path: string, body?: unknown) => server.send(method, path, { authorization, body });
    const operation = ((await send("POST", OPERATIONS, TEXT_OPERATION)).body as { id: number }).id;
    const { headers } = await send("POST", INSIGHTS, { query: QUERY });
    const insight = Number(headers.get("location")?.split("/").at(-1));
    const range = { insight_search_ids: [insight], start_date: "2026-01-01", end_date: "2026-01-02" };
    const exported = ((await send("POST", EXPORTS, range)).body as { id: number }).id;
    await send("DELETE", `${EXPORTS}/${exported}`);
    await send("DELETE", `${INSIGHTS}/postings?platform=news&social_id=1`);
    await send("DELETE", `${INSIGHTS}/${insight}`);
    await send("DELETE", `${OPERATIONS}/${operation}`);
    await send("DELETE", `${OPERATIONS}/8999999999999`);
    const answer = await owner.get(`${AUDIT}?limit=8`);
    expectDocumented(answer, `get ${AUDIT}`);
    const { events, next_cursor } = answer.body as { events: Record<string, unknown>[]; next_cursor: string | null };
    const by = { user_id: 1, email: EMAIL, outcome: "done" };
    expect(events).toEqual([
      expect.objectContaining({ ...by, key_id: keyId, action: "operation.delete", record_id: operation }),
      expect.objectContaining({ ...by, key_id: keyId, action: "insight.delete", record_id: insight }),
      expect.objectContaining({ ...by, key_id: keyId, action: "posting.erase", record_id: null }),
      expect.objectContaining({ ...by, key_id: keyId, action: "export.delete", record_id: exported }),
      expect.objectContaining({ ...by, key_id: keyId, action: "export.create", record_id: exported }),
      expect.objectContaining({ ...by, key_id: keyId, action: "insight.create", record_id: insight }),
      expect.objectContaining({ ...by, key_id: null, action: "key.create", record_id: keyId }),
      expect.objectContaining({ action: expect.any(String) as string }),
    ]);
    expect(next_cursor).not.toBeNull();
    const request = { request_id: expect.stringMatching(/./) as string, client_address: "127.0.0.1" };
    expect(events[1]).toMatchObject({ ...request, record_name: QUERY.keywords, changes: {} });
    expect(events[5]).toMatchObject({ changes: { keywords: { from: null, to: QUERY.keywords } } });
    const changedBy = async (path: string, body: object) => {
      expect((await owner.send("PATCH", path, { body })).status).toBe(200);
      return ((await owner.get(`${AUDIT}?limit=1`)).body as { events: Record<string, unknown>[] }).events[0];
    };
    expect(await changedBy(`${USERS}/1`, { first_name: "Ann" })).toMatchObject({
      ...{ action: "user.update", record_id: 1, record_name: EMAIL, ...request },
      changes: { first_name: { from: "", to: "Ann" } },
    });
    const made = await owner.post(INSIGHTS, { query: QUERY, name: "Kestrels" });
    const changed = await changedBy(made.headers.get("location") ?? "", { name: "Falcons" });
    expect(changed).toMatchObject({
      ...{ action: "insight.update", record_name: "Kestrels" },
      changes: { name: { from: "Kestrels", to: "Falcons" } },
    });
    const found = await owner.get(`${AUDIT}?action=insight.update,user.update&user_id=1&from=2020-01-01&limit=2`);
    expect((found.body as { events: { action: string }[] }).events.map(({ action }) => action)).toEqual([
      "insight.update",
      "user.update",
    ]);
    for (const query of ["from=", "to=yesterday", "user_id=0", "action=keys"]) {
      expect((await owner.get(`${AUDIT}?${query}`)).status, query).toBe(400);
    }
  });

  it("end with their company, keys and audit log too", async () => {
    await admin(server.storage, "company", "create", "--name", "Gone");
    await admin(server.storage, "user", "create", "--email", "gone@example.com", "--company", "Gone");
    const user = await User.signIn(server, "gone@example.com", USER_PASSWORD);
    const { body } = await user.post(KEYS, { name: "G", scopes: ["operations"] });
    const { key } = body as { key: string };
    await (await User.signIn(server, "gone@example.com", USER_PASSWORD)).send("DELETE", SIGN_IN);
    const printed = await admin(server.storage, "company", "delete", "--name", "Gone", "--with-data", "--yes");
    for (const collection of ["api_keys", "audit_events", "ended_sessions", "users"]) {
      expect(printed).toMatch(new RegExp(`^${collection}\\t[1-9]`, "m"));
    }
    expect(await statusOf(`Bearer ${key}`)).toBe(401);
  });
});

it("counts the requests of an API key apart from those of its maker", async () => {
  const server = await startServer({ RATE_LIMIT_PER_MINUTE: "5" });
  try {
    const owner = await User.signIn(server, EMAIL, PASSWORD);
    const { body } = await owner.post(KEYS, { name: "K", scopes: ["operations"] });
    const authorization = `Bearer ${(body as { key: string }).key}`;
    const left = async (bearer: string) =>
      (await server.send("GET", OPERATIONS, { authorization: bearer })).headers.get("ratelimit")?.split(";")[1];
    expect([await left(authorization), await left(authorization)]).toEqual(["r=4", "r=3"]);
    expect(await left(owner.authorization)).toBe("r=3");
  } finally {
    await server.close();
  }
});
