import { buildAuthService, CompanyErasures, generatePassword, reencryptKeys } from "@hourglass/auth";
import { AdminService } from "@hourglass/proto/auth/v1/admin_service";
import type { ApiKey } from "@hourglass/proto/auth/v1/api_key";
import type { Company, User } from "@hourglass/proto/auth/v1/auth_service";
import { createInProcessClient, Dispatcher, giveOneOf, openStorage, ROLES, type Client } from "@hourglass/runtime";
import { dayOf, toIso } from "@hourglass/runtime/json";
import type { AdminConfig } from "../config.js";
import {
  UsageError,
  type Administration,
  type ErasureAdministration,
  type Opening,
  type OptionValues,
} from "./administration.js";
import { lineOf, type Row } from "./output.js";

/** Opens companies, users and keys. */
export async function openAccounts({ config, log, lifecycle }: Opening): Promise<Client<typeof AdminService>> {
  const { store } = await openStorage({ config, log, lifecycle, parts: ["store"] });
  const auth = await buildAuthService({ store, config, log, serving: false });
  const dispatcher = new Dispatcher({ authenticate: auth.authenticate, reportFailure: () => undefined });
  return createInProcessClient(AdminService, auth.adminRoute, dispatcher);
}

/** Opens all that is stored, to measure or erase it. */
export async function openErasures({ config, log, lifecycle }: Opening): Promise<ErasureAdministration> {
  const storage = await openStorage({ config, log, lifecycle, parts: ["store", "blobs", "contents"] });
  return { ...storage, companies: await CompanyErasures.open(storage.store) };
}

export async function createCompany(
  { accounts }: Administration,
  { name = "", products = "api,insight" }: OptionValues,
): Promise<string[]> {
  const { company } = await (await accounts()).createCompany({ name, products: listed(products) });
  return [`Created company ${describeCompany(company)}`];
}

export async function listCompanies({ accounts }: Administration): Promise<Row[]> {
  return (await (await accounts()).listCompanies({})).companies.map(rowOfCompany);
}

export async function setProduct(
  { accounts }: Administration,
  { company: name = "", uid = "", active = "" }: OptionValues,
): Promise<string[]> {
  if (active !== "true" && active !== "false") throw new UsageError("Give --active true or false.");
  const { company } = await (await accounts()).setProduct({ company: name, uid, active: active === "true" });
  return [`Changed company ${describeCompany(company)}`];
}

const describeCompany = (company: Company | undefined): string => lineOf(rowOfCompany(company));

function rowOfCompany(company: Company | undefined): Row {
  const active = company?.products.filter((product) => product.active).map(({ uid }) => uid) ?? [];
  return [
    ["id", Number(company?.id)],
    ["name", company?.name ?? ""],
    ["products", active],
  ];
}

export async function createUser({ accounts, config }: Administration, values: OptionValues): Promise<string[]> {
  const { email = "", company = "", "first-name": firstName = "", "last-name": lastName = "" } = values;
  const role = roleNamed(values["role"] ?? "admin");
  const { password, shown } = choosePassword(config);
  const { user } = await (await accounts()).createUser({ email, company, firstName, lastName, password, role });
  return [`Created user ${describeUser(user)}`, ...shown];
}

export async function setPassword(
  { accounts, config }: Administration,
  { email = "", company = "" }: OptionValues,
): Promise<string[]> {
  const { password, shown } = choosePassword(config);
  await (await accounts()).setPassword({ email, password, company });
  return [`Set the password of ${email}`, ...shown];
}

export async function setRole({ accounts }: Administration, values: OptionValues): Promise<string[]> {
  const { email = "", role = "", company = "" } = values;
  const { user } = await (await accounts()).setRole({ email, role: roleNamed(role), company });
  return [`Changed user ${describeUser(user)}`];
}

function roleNamed(name: string): string {
  if (ROLES.some((role) => role === name)) return name;
  throw new UsageError(`Correct --role: ${giveOneOf(ROLES, name)}`);
}

/** The password to set. A generated one is shown only here and stored nowhere. */
function choosePassword({ admin }: AdminConfig): { password: string; shown: string[] } {
  if (admin.password !== undefined) return { password: admin.password, shown: [] };
  const password = generatePassword();
  return { password, shown: [`Password: ${password}`] };
}

export async function listUsers({ accounts }: Administration): Promise<Row[]> {
  return (await (await accounts()).listUsers({})).users.map(rowOfUser);
}

export async function deleteUser(
  { accounts, erasures }: Administration,
  { email = "", company = "" }: OptionValues,
): Promise<string[]> {
  const { keysEnded } = await (await accounts()).deleteUser({ email, company });
  const remains = await (await erasures()).contents.purge();
  const ended = keysEnded.map((key) => `Ended key ${describeKey(key)}`);
  return [`Deleted user ${email}`, ...ended, ...(remains === undefined ? [] : [remains])];
}

const describeUser = (user: User | undefined): string => lineOf(rowOfUser(user));

function rowOfUser(user: User | undefined): Row {
  const { id, email = "", company, firstName = "", lastName = "", role = "", inactive = false } = user ?? {};
  return [
    ["id", Number(id)],
    ["email", email],
    ["company", company?.name ?? ""],
    ["first_name", firstName],
    ["last_name", lastName],
    ["role", role],
    ["active", !inactive, inactive ? "inactive" : "active"],
  ];
}

export async function createKey({ accounts }: Administration, values: OptionValues): Promise<string[]> {
  const { company = "", name = "", scopes = "", expires, "read-only": readOnly } = values;
  const expiresAt = expires === undefined ? undefined : dayOf(expires);
  if (expires !== undefined && expiresAt === undefined)
    throw new UsageError("Give --expires a date such as 2026-12-31.");
  const wanted = { company, name, scopes: listed(scopes), readOnly: readOnly === "true" };
  const { key, secret } = await (
    await accounts()
  ).issueApiKey(expiresAt === undefined ? wanted : { ...wanted, expiresAt });
  return [`Created key ${describeKey(key)}`, `Key: ${secret}`];
}

export async function listKeys({ accounts }: Administration): Promise<Row[]> {
  return (await (await accounts()).listAllApiKeys({})).keys.map(rowOfKey);
}

export async function revokeKey({ accounts }: Administration, { id = "" }: OptionValues): Promise<string[]> {
  if (!/^[1-9]\d{0,15}$/.test(id)) throw new UsageError("Give --id the id of an API key: key list shows them all.");
  await (await accounts()).revokeApiKey({ id: BigInt(id) });
  return [`Revoked key ${id}`];
}

const describeKey = (key: ApiKey | undefined): string => lineOf(rowOfKey(key));

function rowOfKey(key: ApiKey | undefined): Row {
  const { id, companyId, name = "", prefix = "", scopes = [], readOnly = false, expiresAt, lastUsedAt } = key ?? {};
  const [expires, used] = [toIso(expiresAt) ?? null, toIso(lastUsedAt) ?? null];
  return [
    ["id", Number(id)],
    ["company_id", Number(companyId)],
    ["name", name],
    ["prefix", prefix],
    ["scopes", scopes],
    ["read_only", readOnly, readOnly ? "reads" : "writes"],
    ["expires_at", expires, expires ?? "never expires"],
    ["last_used_at", used, used ?? "never used"],
  ];
}

function listed(names: string): string[] {
  return names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

export async function rotateKeys({ accounts }: Administration): Promise<string[]> {
  return [`Made signing key ${(await (await accounts()).rotateKeys({})).keyId}`];
}

export async function encryptKeys({ config, erasures }: Administration): Promise<string[]> {
  const { newSigningKeyPassphrase: next } = config.admin;
  if (config.mongodbUrl === undefined) {
    throw new UsageError("Signing keys in DATA_DIR are files of their owner alone, without a passphrase.");
  }
  if (next === undefined) throw new UsageError("Set NEW_SIGNING_KEY_PASSPHRASE to the new passphrase.");
  const passphrase = config.auth.signingKeyPassphrase;
  const { store } = await erasures();
  return [`Encrypted ${await reencryptKeys({ store, passphrase, next })} signing keys with the new passphrase`];
}
