import { buildAuthService, CompanyErasures, generatePassword, reencryptKeys } from "@hourglass/auth";
import { AdminService } from "@hourglass/proto/auth/v1/admin_service";
import type { Company, User } from "@hourglass/proto/auth/v1/auth_service";
import { createInProcessClient, Dispatcher, openStorage, type Client } from "@hourglass/runtime";
import type { AdminConfig } from "../config.js";
import {
  UsageError,
  type Administration,
  type ErasureAdministration,
  type Opening,
  type OptionValues,
} from "./administration.js";

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
  const uids = products.split(",").map((uid) => uid.trim());
  const { company } = await (await accounts()).createCompany({ name, products: uids.filter((uid) => uid !== "") });
  return [`Created company ${describeCompany(company)}`];
}

export async function listCompanies({ accounts }: Administration): Promise<string[]> {
  return (await (await accounts()).listCompanies({})).companies.map(describeCompany);
}

export async function setProduct(
  { accounts }: Administration,
  { company: name = "", uid = "", active = "" }: OptionValues,
): Promise<string[]> {
  if (active !== "true" && active !== "false") throw new UsageError("Give --active true or false.");
  const { company } = await (await accounts()).setProduct({ company: name, uid, active: active === "true" });
  return [`Changed company ${describeCompany(company)}`];
}

function describeCompany(company: Company | undefined): string {
  const active = company?.products.filter((product) => product.active).map(({ uid }) => uid) ?? [];
  return [company?.id, company?.name, active.join(",")].join("\t");
}

export async function createUser({ accounts, config }: Administration, values: OptionValues): Promise<string[]> {
  const { email = "", company = "", "first-name": firstName = "", "last-name": lastName = "" } = values;
  const { password, shown } = choosePassword(config);
  const { user } = await (await accounts()).createUser({ email, company, firstName, lastName, password });
  return [`Created user ${describeUser(user)}`, ...shown];
}

export async function setPassword(
  { accounts, config }: Administration,
  { email = "" }: OptionValues,
): Promise<string[]> {
  const { password, shown } = choosePassword(config);
  await (await accounts()).setPassword({ email, password });
  return [`Set the password of ${email}`, ...shown];
}

/** The password to set. A generated one is shown only here and stored nowhere. */
function choosePassword({ admin }: AdminConfig): { password: string; shown: string[] } {
  if (admin.password !== undefined) return { password: admin.password, shown: [] };
  const password = generatePassword();
  return { password, shown: [`Password: ${password}`] };
}

export async function listUsers({ accounts }: Administration): Promise<string[]> {
  return (await (await accounts()).listUsers({})).users.map(describeUser);
}

export async function deleteUser(
  { accounts, erasures }: Administration,
  { email = "" }: OptionValues,
): Promise<string[]> {
  await (await accounts()).deleteUser({ email });
  const remains = await (await erasures()).contents.purge();
  return [`Deleted user ${email}`, ...(remains === undefined ? [] : [remains])];
}

function describeUser(user: User | undefined): string {
  const { id, email, company, firstName, lastName } = user ?? {};
  return [id, email, company?.name, firstName, lastName].join("\t");
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
