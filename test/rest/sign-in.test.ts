import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EMAIL, PASSWORD, startServer, type TestServer } from "../support/server.js";
import { EXPORT_LINKS, fieldsOf, FILE_LINKS, OPERATIONS, ROUTES, SIGN_IN, type Failure } from "./routes.js";

describe("signing in", () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());

  const signIn = (body: unknown) => server.send("POST", SIGN_IN, { body });

  it("answers with the user, and with a JWT in the Authorization header", async () => {
    const answer = await signIn({ user: { email: EMAIL, password: PASSWORD } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("authorization")).toMatch(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/);
    expect(answer.body).toEqual({
      id: expect.any(Number),
      email: EMAIL,
      first_name: expect.any(String),
      last_name: expect.any(String),
      company: {
        id: expect.any(Number),
        name: "Example",
        products: expect.arrayContaining([
          { uid: "api", active: true },
          { uid: "insight", active: true },
        ]),
      },
    });
  });

  it("compares the e-mail without case and without blanks around it", async () => {
    expect((await signIn({ user: { email: ` ${EMAIL.toUpperCase()} `, password: PASSWORD } })).status).toBe(200);
  });

  it("answers a wrong password and an unknown e-mail alike", async () => {
    const answers = [
      await signIn({ user: { email: EMAIL, password: "wrong" } }),
      await signIn({ user: { email: "nobody@example.com", password: "wrong" } }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      expect(answer.headers.get("authorization")).toBeNull();
    }
    const [one, other] = answers.map(({ body }) => ({ ...(body as Failure), request_id: "" }));
    expect(one).toEqual(other);
  });

  it.each([
    [{}, ["user"]],
    [{ user: null }, ["user"]],
    [{ user: "a" }, ["user"]],
    [{ user: [] }, ["user"]],
    [{ user: {} }, ["user.email", "user.password"]],
    [{ user: { email: 1, password: null } }, ["user.email", "user.password"]],
    [{ user: { email: "", password: "" } }, ["user.email", "user.password"]],
    [{ user: { email: "\ud800", password: "x" } }, ["user.email"]],
    [{ user: { email: "x".repeat(255), password: "x".repeat(1025) } }, ["user.email", "user.password"]],
    [{ user: { email: 5, password: "x".repeat(1025) } }, ["user.email", "user.password"]],
  ])("names every wrong field of %j", async (body, fields) => {
    const answer = await signIn(body);
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toEqual(fields);
  });

  it("ignores fields it does not know", async () => {
    const body = { user: { email: EMAIL, password: PASSWORD, admin: true }, other: [1] };
    expect((await signIn(body)).status).toBe(200);
  });

  it("refuses every other route of the interface without a token", async () => {
    const isOpen = (route: string) =>
      !route.startsWith("/api/v2") || [EXPORT_LINKS, FILE_LINKS].some((links) => route.startsWith(links));
    for (const [path, ...methods] of ROUTES.filter(([route]) => !isOpen(route))) {
      for (const method of methods) {
        const answer = await server.send(method, path);
        expect(answer.status, `${method} ${path}`).toBe(401);
        expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      }
    }
  });

  it.each([
    "Bearer",
    "Bearer ",
    "Bearer a b",
    "Basic YWRtaW46YWRtaW4=",
    "bearer x.y.z",
    "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.",
    `Bearer ${"x".repeat(10_000)}`,
  ])("refuses the token %s", async (authorization) => {
    const answer = await server.send("GET", `${OPERATIONS}/1`, { authorization });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    expect((answer.body as Failure).error).toEqual(expect.any(String));
  });

  it("takes the token under any spelling of the scheme Bearer, and refuses another signature", async () => {
    const authorization = await server.signIn();
    const token = authorization.slice("Bearer ".length);
    for (const spelling of ["Bearer", "bearer", "BEARER"]) {
      const answer = await server.send("GET", `${OPERATIONS}/1`, { authorization: `${spelling} ${token}` });
      expect(answer.status).toBe(404);
    }
    const [header, payload = "", signature = ""] = token.split(".");
    const forged = [
      `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
      `${header}.${payload}.`,
      `${header}.${Buffer.from('{"sub":"1"}').toString("base64url")}.${signature}`,
    ];
    for (const wrong of forged) {
      expect((await server.send("GET", `${OPERATIONS}/1`, { authorization: `Bearer ${wrong}` })).status).toBe(401);
    }
  });

  it("publishes the keys that verify tokens, and no private part of them", async () => {
    const { status, body } = await server.send("GET", "/.well-known/jwks.json");
    expect(status).toBe(200);
    const { keys } = body as { keys: Record<string, unknown>[] };
    const token = (await server.signIn()).slice("Bearer ".length);
    const { kid } = JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()) as { kid: string };
    expect(keys.map((key) => key["kid"])).toContain(kid);
    for (const key of keys) expect(Object.keys(key)).not.toEqual(expect.arrayContaining(["d"]));
  });
});

describe("the sign-in limit", () => {
  it("counts all attempts and says when to come back", async () => {
    const server = await startServer({ SIGN_IN_ATTEMPTS_PER_MINUTE: "3" });
    try {
      const attempt = () => server.send("POST", SIGN_IN, { body: { user: { email: EMAIL, password: "wrong" } } });
      const statuses: number[] = [];
      for (let round = 0; round < 3; round++) statuses.push((await attempt()).status);
      expect(statuses).toEqual([401, 401, 401]);
      const refused = await server.send("POST", SIGN_IN, { body: { user: { email: EMAIL, password: PASSWORD } } });
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(refused.headers.get("ratelimit")).toMatch(/^"sign-in";r=0;t=\d+$/);
      expect(refused.headers.get("ratelimit-policy")).toBe('"sign-in";q=3;w=60');
      expect((await server.send("GET", "/healthz")).status).toBe(200);
    } finally {
      await server.close();
    }
  });

  it("keeps nobody out because of a stranger's wrong passwords, and believes only trusted proxies on who is who", async () => {
    const server = await startServer({ SIGN_IN_ATTEMPTS_PER_MINUTE: "10", TRUSTED_PROXIES: "127.0.0.1" });
    try {
      const attempt = async (client: string, password: string) => {
        const headers = { "x-forwarded-for": `203.0.113.9, ${client}` };
        const answer = await server.send("POST", SIGN_IN, { body: { user: { email: EMAIL, password } }, headers });
        return answer.status;
      };
      const statuses = await Promise.all(Array.from({ length: 1000 }, () => attempt("192.0.2.1", "wrong")));
      expect(statuses.filter((status) => status === 401)).toHaveLength(10);
      expect(statuses.filter((status) => status === 429)).toHaveLength(990);
      expect(await attempt("192.0.2.1", PASSWORD)).toBe(429);
      expect(await attempt("198.51.100.1", PASSWORD)).toBe(200);
    } finally {
      await server.close();
    }
  });
});
