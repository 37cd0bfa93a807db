import { create, type DescMethod, getOption } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel as Level } from "@bufbuild/protobuf/wkt";
import { access, Access, audit, scope, scopes } from "@hourglass/proto/options/v1/access";
import { AuthorSchema } from "@hourglass/proto/auth/v1/author";
import { AppError } from "../errors/app-error.js";
import type { ErrorCode } from "../errors/error-codes.js";

/** What a user may do: an admin everything, a member all but what is for admins, a viewer only reads. */
export const ROLES = ["admin", "member", "viewer"] as const;

export type Role = (typeof ROLES)[number];

/** What an API key opens: the methods of the services with that scope. */
export const SCOPES = ["operations", "insights", "exports"] as const;

export type Scope = (typeof SCOPES)[number];

/** An API key by which a caller is known. */
export interface ApiKeyIdentity {
  readonly id: number;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly readOnly: boolean;
}

/** A user, or an API key. */
export interface Caller {
  /** With an API key, the user who made it; undefined if a command made it. */
  userId: number | undefined;
  /** Of an API key: what it may at most, which is never more than who made it may now. */
  role: Role;
  /** When the token or the API key ends, in seconds since 1970; absent: never, or it is not known. */
  expiresAt?: number;
  /** The API key by which the caller is known; absent with a token. */
  key?: ApiKeyIdentity;
}

/** The role of that name. One that only a later release knows gets the least. */
export function roleOf(name: string): Role {
  return ROLES.find((role) => role === name) ?? "viewer";
}

/** The role in which an API key acts within its scopes: never more than the present role of who made it. */
export function roleOfKey({ readOnly }: Pick<ApiKeyIdentity, "readOnly">, ofMaker: Role): Role {
  return readOnly ? "viewer" : (LEAST_FIRST.find((role) => role === ofMaker) ?? "member");
}

/** The roles that an API key acts in: it is never an admin. */
const LEAST_FIRST: readonly Role[] = ["viewer", "member"];

/** What the options of a method in proto/ say of its callers. */
export interface Requirement {
  readonly access: Exclude<Access, Access.UNSPECIFIED>;
  /** Scopes of which an API key needs one; empty: it accepts no API key, except as ACCESS_ANY. */
  readonly scopes: readonly string[];
  /** Name of the entry in the audit log that a successful call makes; empty: none. */
  readonly audit: string;
}

/** Caches the options, because each access decodes them and every call needs them. */
const known = new WeakMap<DescMethod, Requirement>();

/** What a caller needs to call the method. */
export function requirementOf(method: DescMethod): Requirement {
  const found = known.get(method) ?? readRequirement(method);
  known.set(method, found);
  return found;
}

function readRequirement(method: DescMethod): Requirement {
  const own = getOption(method, scopes);
  const ofService = getOption(method.parent, scope);
  return {
    access: getOption(method, access) || (method.idempotency === Level.NO_SIDE_EFFECTS ? Access.READ : Access.WRITE),
    scopes: own.length > 0 || ofService === "" ? own : [ofService],
    audit: getOption(method, audit),
  };
}

/** Fails with AppError `forbidden` unless the role of the user, or the API key, is enough for the method. */
export function requireAccess({ role, key }: Caller, method: DescMethod): void {
  const required = requirementOf(method);
  if (required.access === Access.ANY) return;
  if (key !== undefined) requireKey(key, role, required);
  else if (required.access === Access.ADMIN && role !== "admin") {
    throw forbidden("admin_needed", "Only an admin of your company may do this. Ask one of them.");
  } else if (required.access === Access.WRITE && role === "viewer") {
    throw forbidden(
      "read_only_role",
      "Your role, viewer, only reads. Ask an admin of your company for the role member.",
    );
  }
}

function requireKey({ scopes: given, readOnly }: ApiKeyIdentity, role: Role, required: Requirement): void {
  const isForKeys = required.access === Access.READ || required.access === Access.WRITE;
  if (!isForKeys || required.scopes.length === 0) {
    throw forbidden("no_api_keys", "An API key cannot do this. Sign in as a user.");
  }
  if (!required.scopes.some((needed) => given.includes(needed))) {
    const [first = "", ...others] = required.scopes;
    const needed = [first, ...others].map((name) => `"${name}"`).join(" or ");
    throw forbidden("scope_missing", `This API key lacks the scope ${needed}. Make a key that has it.`);
  }
  if (required.access !== Access.WRITE) return;
  if (readOnly) throw forbidden("read_only_key", "This API key is read-only. Make a key that is not.");
  if (role === "viewer") {
    const message =
      "This API key only reads since its maker is a viewer now. Ask a member or an admin for another key.";
    throw forbidden("read_only_role", message);
  }
}

function forbidden(code: ErrorCode, message: string): AppError {
  return new AppError("forbidden", message, { code });
}

/** Who made a record, as services store it. */
export interface Author {
  /** The user, or the one who made the API key; null if a command of the operator made the key. */
  readonly userId: number | null;
  /** The API key; null without one. */
  readonly keyId: number | null;
  /** First and last name of the user, or their e-mail without one; of a key that a command made, its name. */
  readonly name: string;
}

/** What a caller is called. */
interface Named {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** Who calls. */
export function authorOf(caller: Caller & Named): Author {
  const { userId, key } = caller;
  return { userId: userId ?? null, keyId: key?.id ?? null, name: nameOf(caller) || (key?.name ?? "") };
}

/** First and last name of a user, or their e-mail without one. */
export function nameOf({ email, firstName, lastName }: Named): string {
  return [firstName, lastName].filter((name) => name !== "").join(" ") || email;
}

/** An author as the messages of proto/ have it; undefined if a service made the record. */
export function toAuthor(author: Author | null | undefined) {
  if (author === null || author === undefined) return undefined;
  const { userId, keyId, name } = author;
  return create(AuthorSchema, { userId: BigInt(userId ?? 0), keyId: BigInt(keyId ?? 0), name });
}

/** Names the caller among all users and API keys: each key counts apart from the user who made it. */
export function callerIdOf({ userId = 0, key }: Caller): number | string {
  return key === undefined ? userId : `key ${key.id}`;
}
