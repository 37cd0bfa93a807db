import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type AuditRecord, type Principal, toAuthor } from "@hourglass/runtime";
import { AuditOutcome } from "@hourglass/proto/auth/v1/audit";
import { productsOf, roleIn, type Account, type CompanyRecord, type UserRecord } from "./accounts.js";
import type { ApiKeyRecord } from "./api-keys.js";
import { revisionOfUser } from "./company-users.js";

/** A user of a company, without the company. */
export function toUser(user: Omit<UserRecord, "password_hash">) {
  const { id, email, first_name: firstName, last_name: lastName, created_at } = user;
  const createdAt = timestampFromMs(Date.parse(created_at));
  const [role, inactive, revision] = [roleIn(user), !user.active, revisionOfUser(user)];
  return { id: BigInt(id), email, firstName, lastName, role, inactive, createdAt, revision };
}

export function toUserWithCompany({ user, company }: Account) {
  return { ...toUser(user), company: toCompany(company) };
}

/** What everybody of the company may read of a user. */
export function toColleague({ id, first_name: firstName, last_name: lastName }: UserRecord) {
  return { id: BigInt(id), firstName, lastName };
}

/** The caller of a method. */
export function toCaller(principal: Principal) {
  const { userId = 0, companyId, companyName, email, firstName, lastName, products, role, expiresAt, key } = principal;
  const company = { id: BigInt(companyId), name: companyName, products: products.map((product) => ({ ...product })) };
  return {
    user: { id: BigInt(userId), email, firstName, lastName, company, role },
    ...(expiresAt === undefined ? {} : { expiresAt: timestampFromMs(expiresAt * 1000) }),
    ...(key && { key: { id: BigInt(key.id), name: key.name, scopes: [...key.scopes], readOnly: key.readOnly } }),
  };
}

export function toCompany(company: CompanyRecord) {
  return { id: BigInt(company.id), name: company.name, products: productsOf(company) };
}

export function toApiKey(record: ApiKeyRecord) {
  const { id, name, scopes, read_only: readOnly, prefix, created_by, company_id, expires_at, last_used_at } = record;
  return {
    id: BigInt(id),
    name,
    scopes,
    readOnly,
    prefix,
    createdBy: BigInt(created_by ?? 0),
    author: toAuthor(created_by === null ? null : { userId: created_by, keyId: null, name: record.created_by_name }),
    companyId: BigInt(company_id),
    createdAt: timestampFromMs(Date.parse(record.created_at)),
    ...(expires_at === null ? {} : { expiresAt: timestampFromMs(expires_at) }),
    ...(last_used_at === null ? {} : { lastUsedAt: timestampFromMs(last_used_at) }),
  };
}

export function toAuditEvent(record: AuditRecord) {
  const { id, at, action, user_id, key_id, record_id, done, email, changes } = record;
  return {
    id: BigInt(id),
    at: timestampFromMs(at),
    action,
    outcome: done ? AuditOutcome.DONE : AuditOutcome.UNKNOWN,
    userId: BigInt(user_id ?? 0),
    email,
    keyId: BigInt(key_id ?? 0),
    recordId: BigInt(record_id ?? 0),
    recordName: record.record_name,
    requestId: record.request_id,
    clientAddress: record.client_address,
    changes: changes.map(({ field, from, to }) => ({ field, fromJson: from ?? "", toJson: to ?? "" })),
  };
}
