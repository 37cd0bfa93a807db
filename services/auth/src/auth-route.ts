import { timestampFromMs, timestampMs, type Timestamp } from "@bufbuild/protobuf/wkt";
import { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import {
  AppError,
  changesBetween,
  nameOf,
  route,
  roleOf,
  SERVICE_TOKEN_TTL_SECONDS,
  unauthenticated,
  type AuditTrail,
  type AuthenticatedContext,
  type Handlers,
  type Principal,
  type Route,
} from "@hourglass/runtime";
import { shownOfKey, type ApiKeys } from "./api-keys.js";
import type { ChangeOptions, CompanyUsers } from "./company-users.js";
import { toApiKey, toAuditEvent, toCaller, toColleague, toCompany, toUser, toUserWithCompany } from "./messages.js";
import type { SignIn } from "./sign-in.js";
import type { KeyRing } from "./signing-keys.js";
import type { Tokens } from "./tokens.js";
import type { UserCreation } from "./user-creation.js";

export interface AuthRouteDeps {
  apiKeys: ApiKeys;
  users: CompanyUsers;
  userCreation: UserCreation;
  audit: AuditTrail;
  signIn: SignIn;
  tokens: Tokens;
  keys: KeyRing;
}

type AuthHandlers = Handlers<typeof AuthService>;

/** The methods of AuthService. */
export function authRoute(deps: AuthRouteDeps): Route {
  return route(AuthService, {
    ...tokenHandlers(deps),
    ...sessionHandlers(deps),
    ...keyHandlers(deps),
    ...userHandlers(deps),
    listAuditEvents: async ({ limit, cursor, actions, userId, from, to }, context) => {
      const { companyId } = callerOf(context);
      const period = { from: toMs(from, "from") ?? undefined, to: toMs(to, "to") ?? undefined };
      const wanted = { actions, ...(userId !== 0n && { userId: Number(userId) }), ...period };
      const { records, nextCursor } = await deps.audit.list(companyId, wanted, { limit, cursor });
      return { events: records.map(toAuditEvent), nextCursor };
    },
  });
}

function tokenHandlers({ signIn, tokens, keys }: AuthRouteDeps): AuthHandlers {
  return {
    signIn: async ({ user, clientAddress: address }, { signal, requestId }) => {
      const { email = "", password = "", company = "" } = user ?? {};
      const session = await signIn.signIn({ email, password, company, address, requestId, signal });
      return { user: toUserWithCompany(session), token: session.token, expiresAt: momentOf(session.expiresAt) };
    },
    getUser: (_, context) => Promise.resolve(toCaller(callerOf(context))),
    listKeys: () => Promise.resolve({ keys: keys.list().map(({ id, publicJwk }) => ({ id, jwkJson: publicJwk })) }),
    issueServiceToken: async ({ service, companyId, secret }) => {
      const { token, company } = await tokens.issueServiceToken({ service, companyId: Number(companyId), secret });
      return { token, expiresInSeconds: SERVICE_TOKEN_TTL_SECONDS, company: toCompany(company) };
    },
  };
}

function sessionHandlers({ signIn, tokens }: AuthRouteDeps): AuthHandlers {
  return {
    signOut: async (_, { token }) => {
      await tokens.end(token);
      return {};
    },
    renewToken: async (_, context) => {
      const { token, expiresAt } = await tokens.renew(context.token);
      return { token, expiresAt: momentOf(expiresAt) };
    },
    changePassword: async ({ currentPassword: current, password, clientAddress: address }, { token, signal }) => {
      await signIn.changePassword({ token, current, password, address, signal });
      return {};
    },
  };
}

function keyHandlers({ apiKeys }: AuthRouteDeps): AuthHandlers {
  return {
    listApiKeys: async ({ limit, cursor }, context) => {
      const { records, nextCursor } = await apiKeys.list(callerOf(context).companyId, { limit, cursor });
      return { keys: records.map(toApiKey), nextCursor };
    },
    createApiKey: async ({ name, scopes, readOnly, expiresAt, idempotencyKey }, context) => {
      const caller = callerOf(context);
      const { companyId, userId } = caller;
      const createdBy = userId === undefined ? null : { id: userId, name: nameOf(caller) };
      const own = { name, scopes, readOnly, expiresAt: toMs(expiresAt, "expires_at") };
      const shown = { name, scopes, read_only: readOnly, expires_at: own.expiresAt };
      await context.describeAct({ changes: changesBetween({}, shownOfKey(shown)) });
      const wanted = { companyId, ...own, createdBy, idempotencyKey };
      const { record, secret, replayed } = await apiKeys.create(wanted);
      return { id: BigInt(record.id), secret, key: toApiKey(record), replayed };
    },
    deleteApiKey: async ({ id }, context) => {
      const key = await apiKeys.get(Number(id), callerOf(context).companyId);
      await context.describeAct({ recordName: key.name, changes: changesBetween(shownOfKey(key), {}) });
      await apiKeys.delete(key);
      return {};
    },
  };
}

function userHandlers({ users, userCreation }: AuthRouteDeps): AuthHandlers {
  return {
    listCompanyUsers: async ({ limit, cursor }, context) => {
      const { records, nextCursor } = await users.list(callerOf(context).companyId, { limit, cursor });
      return { users: records.map(toUser), nextCursor };
    },
    getCompanyUser: async ({ id }, context) => {
      const { companyId, userId, role } = callerOf(context);
      const user = await users.get({ companyId, id: Number(id) });
      return { user: role === "admin" || user.id === userId ? toUser(user) : toColleague(user) };
    },
    createCompanyUser: async ({ email, firstName, lastName, role, idempotencyKey }, context) => {
      const { companyId, userId: createdBy = 0 } = callerOf(context);
      const wanted = { email, firstName, lastName, role: role === "" ? ("member" as const) : roleOf(role) };
      const shown = { email, first_name: firstName, last_name: lastName, role: wanted.role, active: true };
      await context.describeAct({ recordName: email, changes: changesBetween({}, shown) });
      const creation = { companyId, createdBy, idempotencyKey, ...wanted };
      const { user, password, replayed } = await userCreation.create(creation);
      return { id: BigInt(user.id), user: toUser(user), password, replayed };
    },
    updateCompanyUser: async ({ id, email, firstName, lastName, role, active, keepKeys, ifMatch }, context) => {
      const change = { email, firstName, lastName, role: role === undefined ? role : roleOf(role), active };
      const member = { companyId: callerOf(context).companyId, id: Number(id) };
      const { user, ended } = await users.change(member, change, optionsOf(context, { keepKeys, ifMatch }));
      return { user: toUser(user), keysEnded: ended.map(toApiKey) };
    },
    deleteCompanyUser: async ({ id, keepKeys, ifMatch }, context) => {
      const member = { companyId: callerOf(context).companyId, id: Number(id) };
      const { ended } = await users.delete(member, optionsOf(context, { keepKeys, ifMatch }));
      return { keysEnded: ended.map(toApiKey) };
    },
  };
}

/** The caller takes over the keys if they ask for it, and the audit log learns of the change before it is made. */
function optionsOf(
  context: AuthenticatedContext,
  { keepKeys, ifMatch }: { keepKeys: boolean; ifMatch: string[] },
): ChangeOptions {
  return {
    ifMatch,
    keeper: keepKeys ? callerOf(context).userId : undefined,
    announce: ({ email }, changes) => context.describeAct({ recordName: email, changes }),
  };
}

/** The user or API key that calls; no method here takes tokens of services. */
function callerOf({ principal }: AuthenticatedContext): Principal {
  if ("service" in principal) throw unauthenticated();
  return principal;
}

function momentOf(seconds: number): Timestamp {
  return timestampFromMs(seconds * 1000);
}

/** Null if there is no moment. AppError `invalid` for one that no calendar has. */
export function toMs(moment: Timestamp | undefined, field: string): number | null {
  if (moment === undefined) return null;
  const ms = timestampMs(moment);
  if (Number.isFinite(new Date(ms).getTime())) return ms;
  throw AppError.invalid([{ field, message: "Give a moment such as 2026-12-31T12:00:00Z." }]);
}
