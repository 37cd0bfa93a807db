import { timestampFromMs, timestampMs, type Timestamp } from "@bufbuild/protobuf/wkt";
import { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import {
  AppError,
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
import type { Accounts } from "./accounts.js";
import type { ApiKeys } from "./api-keys.js";
import type { CompanyUsers } from "./company-users.js";
import { toApiKey, toAuditEvent, toCaller, toCompany, toUser, toUserWithCompany } from "./messages.js";
import { generatePassword } from "./passwords.js";
import type { SignIn } from "./sign-in.js";
import type { KeyRing } from "./signing-keys.js";
import type { Tokens } from "./tokens.js";

export interface AuthRouteDeps {
  accounts: Accounts;
  apiKeys: ApiKeys;
  users: CompanyUsers;
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
    listAuditEvents: async ({ limit, cursor }, context) => {
      const { records, nextCursor } = await deps.audit.list(callerOf(context).companyId, { limit, cursor });
      const emails = await deps.users.emailsOf(records.flatMap(({ user_id }) => user_id ?? []));
      return { events: records.map((record) => toAuditEvent(record, emails)), nextCursor };
    },
  });
}

function tokenHandlers({ signIn, tokens, keys }: AuthRouteDeps): AuthHandlers {
  return {
    signIn: async ({ user, clientAddress }, { signal }) => {
      const { email = "", password = "" } = user ?? {};
      const session = await signIn.signIn({ email, password, address: clientAddress, signal });
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
    createApiKey: async ({ name, scopes, readOnly, expiresAt }, context) => {
      const { companyId, userId: createdBy = null } = callerOf(context);
      const wanted = { companyId, name, scopes, readOnly, expiresAt: toMs(expiresAt), createdBy };
      const { record, secret } = await apiKeys.create(wanted);
      return { id: BigInt(record.id), secret, key: toApiKey(record) };
    },
    deleteApiKey: async ({ id }, context) => {
      await apiKeys.delete(Number(id), callerOf(context).companyId);
      return {};
    },
  };
}

function userHandlers({ accounts, users }: AuthRouteDeps): AuthHandlers {
  return {
    listCompanyUsers: async ({ limit, cursor }, context) => {
      const { records, nextCursor } = await users.list(callerOf(context).companyId, { limit, cursor });
      return { users: records.map(toUser), nextCursor };
    },
    createCompanyUser: async ({ email, firstName, lastName, role }, context) => {
      const password = generatePassword();
      const wanted = { email, firstName, lastName, password, role: role === "" ? "member" : roleOf(role) };
      const user = await accounts.createUserOf(callerOf(context).companyId, wanted);
      return { id: BigInt(user.id), user: toUser(user), password };
    },
    updateCompanyUser: async ({ id, email, firstName, lastName, role, active }, context) => {
      const change = { email, firstName, lastName, role: role === undefined ? role : roleOf(role), active };
      return { user: toUser(await users.change(callerOf(context).companyId, Number(id), change)) };
    },
    deleteCompanyUser: async ({ id }, context) => {
      await users.delete(callerOf(context).companyId, Number(id));
      return {};
    },
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
export function toMs(moment: Timestamp | undefined): number | null {
  if (moment === undefined) return null;
  const ms = timestampMs(moment);
  if (Number.isFinite(new Date(ms).getTime())) return ms;
  throw AppError.invalid([{ field: "expires_at", message: "Give a moment such as 2026-12-31T12:00:00Z." }]);
}
