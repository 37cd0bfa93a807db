import { EMAIL, PASSWORD, type TestServer } from "../support/server.js";
import { admin, USER_PASSWORD } from "./admin.js";
import { KEYS, User } from "./routes.js";

const SCOPES = ["operations", "insights", "exports"] as const;
type Scope = (typeof SCOPES)[number];

/** What a route or a method asks of its caller. */
export type Need =
  | { readonly for: "anyone with a token" | "sessions" | "admins" | "users who read" | "users who write" }
  | { readonly for: "readers" | "writers"; readonly scope: Scope };

/** Who calls. */
export interface Caller {
  readonly name: string;
  /** The value of the Authorization header; another one each time, where a call may end the session. */
  authorize(need: Need): Promise<string>;
  /** The code of the refusal of a call that needs this; undefined: it is not refused. */
  refusal(need: Need): string | undefined;
}

/** One of each kind of callers of a server with two companies, all of them known to it. */
export async function makeCallers(server: TestServer): Promise<readonly Caller[]> {
  await admin(server.storage, "company", "create", "--name", "Other");
  const users = { member: "Example", viewer: "Example", stranger: "Other" };
  for (const [name, company] of Object.entries(users)) {
    const role = name === "stranger" ? "admin" : name;
    const email = `${name}@example.com`;
    await admin(server.storage, "user", "create", "--email", email, "--company", company, "--role", role);
  }
  const owner = await User.signIn(server);
  const keyOf = async (scopes: readonly Scope[], readOnly: boolean) => {
    const { body } = await owner.post(KEYS, { name: scopes.join(" "), scopes, read_only: readOnly });
    return `Bearer ${(body as { key: string }).key}`;
  };
  const keys = new Map<string, string>();
  for (const scope of SCOPES) keys.set(scope, await keyOf([scope], false));
  const [whole, reading] = [await keyOf(SCOPES, false), await keyOf(SCOPES, true)];
  const bearer = (text: string) => () => Promise.resolve(text);
  /** A key that has one scope, and not the one that is needed. */
  const otherScope = (need: Need) => {
    const scope = SCOPES.find((candidate) => !("scope" in need) || candidate !== need.scope);
    return Promise.resolve(keys.get(scope ?? "") ?? "");
  };
  const ownScope = (need: Need) => Promise.resolve(("scope" in need ? keys.get(need.scope) : undefined) ?? whole);
  return [
    { name: "nobody", authorize: bearer(""), refusal: () => "unauthenticated" },
    { name: "a forged key", authorize: bearer(`Bearer hg_${"0".repeat(40)}`), refusal: () => "unauthenticated" },
    { name: "a viewer", authorize: () => server.signIn("viewer@example.com", USER_PASSWORD), refusal: ofViewer },
    { name: "a member", authorize: () => server.signIn("member@example.com", USER_PASSWORD), refusal: ofMember },
    { name: "an admin", authorize: () => server.signIn(EMAIL, PASSWORD), refusal: () => undefined },
    { name: "a key without the scope", authorize: otherScope, refusal: ofKeyWithoutScope },
    { name: "a read-only key", authorize: bearer(reading), refusal: ofReadOnlyKey },
    { name: "a key of the scope alone", authorize: ownScope, refusal: ofKey },
    {
      name: "another company's admin",
      authorize: () => server.signIn("stranger@example.com", USER_PASSWORD),
      refusal: () => undefined,
    },
  ];
}

function ofMember(need: Need): string | undefined {
  return need.for === "admins" ? "admin_needed" : undefined;
}

function ofViewer(need: Need): string | undefined {
  return need.for === "writers" || need.for === "users who write" ? "read_only_role" : ofMember(need);
}

function ofKey(need: Need): string | undefined {
  return "scope" in need || need.for === "anyone with a token" ? undefined : "no_api_keys";
}

function ofReadOnlyKey(need: Need): string | undefined {
  return need.for === "writers" ? "read_only_key" : ofKey(need);
}

function ofKeyWithoutScope(need: Need): string | undefined {
  return "scope" in need ? "scope_missing" : ofKey(need);
}
