import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { done, failed, runAdmin, type Outcome } from "./admin-command.js";
import { EMAIL, PASSWORD, startServer, type TestServer } from "../support/server.js";

let dataDir: string;
let env: Record<string, string>;

const admin = (...args: string[]): Promise<Outcome> => runAdmin({ DATA_DIR: dataDir, ...env }, args);

beforeEach(() => {
  env = {};
});

describe("the admin command without a server", () => {
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), "hourglass-admin-"));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it("makes companies and users and lists them", async () => {
    expect(await admin("company", "create", "--name", "Acme")).toEqual(
      done(/^Created company 1\tAcme\tapi,insight\n$/),
    );
    expect(await admin("company", "create", "--name", "B Ltd", "--products", "api")).toEqual(done(/\tB Ltd\tapi\n$/));
    expect(await admin("company", "list")).toEqual(done(/^1\tAcme\tapi,insight\n2\tB Ltd\tapi\n$/));
    env["ADMIN_PASSWORD"] = "a password of mine";
    const names = ["--first-name", "Ann", "--last-name", "Lee"];
    expect(await admin("user", "create", "--email", "ann@example.com", "--company", "Acme", ...names)).toEqual(
      done(/^Created user 1\tann@example.com\tAcme\tAnn\tLee\tadmin\tactive\n$/),
    );
    expect(await admin("user", "list")).toEqual(done(/^1\tann@example.com\tAcme\tAnn\tLee\tadmin\tactive\n$/));
    expect(await admin("product", "set", "--company", "Acme", "--uid", "api", "--active", "false")).toEqual(
      done(/^Changed company 1\tAcme\tinsight\n$/),
    );
    expect(await admin("user", "delete", "--yes", "--email", "ANN@example.com")).toEqual(done(/^Deleted user/));
    expect(await admin("user", "list")).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("makes a password and shows it when it is given none", async () => {
    await admin("company", "create", "--name", "Acme");
    const created = await admin("user", "create", "--email", "ann@example.com", "--company", "Acme");
    expect(created).toEqual(done(/\nPassword: [a-z2-9-]{35}\n$/));
    const changed = await admin("user", "set-password", "--email", "ann@example.com");
    expect(changed).toEqual(done(/\nPassword: [a-z2-9-]{35}\n$/));
    expect(changed.stdout.split("\n")[1]).not.toBe(created.stdout.split("\n")[1]);
  });

  it("makes no database when it only reads, and says where it looked", async () => {
    const outcome = await admin("user", "list");
    expect(outcome).toEqual(failed(/^There is no data in .*DATA_DIR/, 1));
    expect(outcome.stderr).toContain(dataDir);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it("says in one line how to use it, with exit code 2", async () => {
    const outcome = await admin("user", "create", "--email", "a@example.com");
    expect(outcome).toEqual(failed(/^The command user create also needs --company\..*--help\n$/, 2));
    expect(outcome.stderr.split("\n")).toHaveLength(2);
  });

  it("says that keys in a folder have no passphrase that could be changed", async () => {
    env["NEW_SIGNING_KEY_PASSPHRASE"] = "another passphrase entirely";
    expect(await admin("keys", "encrypt")).toEqual(failed(/^Signing keys in DATA_DIR .*without a passphrase\./, 2));
  });

  it("says in one line what is wrong with a value", async () => {
    await admin("company", "create", "--name", "Acme");
    expect(await admin("company", "create", "--name", "Acme")).toEqual(
      failed(/^A company named "Acme" exists already\. Choose another name\.\n$/),
    );
    expect(await admin("user", "create", "--email", "a@example.com", "--company", "Nobody")).toEqual(
      failed(/^There is no company named "Nobody"\. The command company list shows them all\.\n$/),
    );
    expect(await admin("user", "create", "--email", "ann", "--company", "Acme")).toEqual(failed(/^--email: .*\n$/));
    expect(await admin("user", "set-password", "--email", "a@example.com")).toEqual(failed(/^There is no user/));
    expect(await admin("product", "set", "--company", "Acme", "--uid", "x", "--active", "true")).toEqual(
      failed(/^--uid: /),
    );
  });

  it("does not show a password that is too short", async () => {
    env["ADMIN_PASSWORD"] = "sh0rt";
    const outcome = await admin("user", "list");
    expect(outcome).toEqual(failed(/ADMIN_PASSWORD.*at least 8 characters/));
    expect(outcome.stderr).not.toContain("sh0rt");
  });

  it("does not pretend to change a database that it cannot reach", async () => {
    env["MONGODB_URL"] = "mongodb://user:secret@127.0.0.1/hourglass";
    const outcome = await admin("user", "list");
    expect(outcome).toEqual(failed(/MONGODB_URL/));
    expect(outcome.stderr).not.toContain("secret");
    expect(await readdir(dataDir)).toEqual([]);
  });

  it("explains itself", async () => {
    expect(await admin("--help")).toEqual(done(/Usage: npm run -s admin/));
  });
});

describe("the admin command beside a running server", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
    dataDir = server.dataDir;
  });
  beforeEach(() => {
    env = { ...server.storage };
  });
  afterAll(() => server.close());

  const unknown = "/api/v2/products/api/operations/999";
  const statusWith = async (authorization: string): Promise<number> =>
    (await server.send("GET", unknown, { authorization })).status;

  it("makes a user who can sign in at once", async () => {
    env["ADMIN_PASSWORD"] = "a password of mine";
    await admin("company", "create", "--name", "Acme");
    await admin("user", "create", "--email", "ann@example.com", "--company", "Acme");
    expect(await statusWith(await server.signIn("Ann@Example.com", "a password of mine"))).toBe(404);
  });

  it("ends sessions before it returns, when it sets a password or deletes a user", async () => {
    env["ADMIN_PASSWORD"] = "a password of mine";
    const company = (await admin("company", "list")).stdout.split("\n")[0]?.split("\t")[1] ?? "";
    await admin("user", "create", "--email", "bob@example.com", "--company", company);
    const first = await server.signIn("bob@example.com", "a password of mine");
    expect(await statusWith(first)).toBe(404);
    env["ADMIN_PASSWORD"] = "another password";
    const polling = setInterval(() => void statusWith(first), 50);
    await admin("user", "set-password", "--email", "bob@example.com");
    expect(await statusWith(first)).toBe(401);
    clearInterval(polling);
    const second = await server.signIn("bob@example.com", "another password");
    expect(await statusWith(second)).toBe(404);
    await admin("user", "delete", "--yes", "--email", "bob@example.com");
    expect(await statusWith(second)).toBe(401);
  });

  it("switches products for tokens that are out already", async () => {
    const company = (await admin("company", "list")).stdout.split("\n")[0]?.split("\t")[1] ?? "";
    const token = await server.signIn(EMAIL, PASSWORD);
    const polling = setInterval(() => void statusWith(token), 50);
    await admin("product", "set", "--company", company, "--uid", "api", "--active", "false");
    expect(await statusWith(token)).toBe(403);
    await admin("product", "set", "--company", company, "--uid", "api", "--active", "true");
    expect(await statusWith(token)).toBe(404);
    clearInterval(polling);
  });

  it("rotates keys: new tokens are signed by the new one, old ones continue", async () => {
    const kid = (authorization: string): unknown => {
      const [header = ""] = authorization.replace("Bearer ", "").split(".");
      return (JSON.parse(Buffer.from(header, "base64url").toString()) as { kid: unknown }).kid;
    };
    const old = await server.signIn();
    const outcome = await admin("keys", "rotate");
    const made = /Made signing key (\S+)\n/.exec(outcome.stdout)?.[1];
    const fresh = await server.signIn();
    expect(kid(fresh)).toBe(made);
    expect([await statusWith(old), await statusWith(fresh)]).toEqual([404, 404]);
    const jwks = (await server.send("GET", "/.well-known/jwks.json")).body as { keys: { kid: string }[] };
    expect(jwks.keys.map((key) => key.kid)).toEqual([made, kid(old)]);
  });
});
