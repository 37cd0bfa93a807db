import { KEY_LEAD_MS, reencryptKeys } from "@hourglass/auth";
import type { Company, User } from "@hourglass/proto/auth/v1/auth_service";
import { PRINCIPAL_FRESH_MS } from "@hourglass/runtime";
import type { Command } from "./command.js";
import { UsageError } from "../usage-error.js";

/** Servers check a token again within this time. */
const SESSIONS_SETTLE_MS = PRINCIPAL_FRESH_MS + 100;
/** Servers sign with a new key within this time. */
const KEYS_SETTLE_MS = KEY_LEAD_MS + 500;

const createCompany: Command = {
  does: "Makes a company; --products api,insight lists what is active (default both).",
  required: ["name"],
  optional: ["products"],
  settleMs: 0,
  run: async ({ accounts }, { name = "", products = "api,insight" }) => {
    const uids = products.split(",").map((uid) => uid.trim());
    const { company } = await (await accounts()).createCompany({ name, products: uids.filter((uid) => uid !== "") });
    return [`Created company ${describeCompany(company)}`];
  },
};

const listCompanies: Command = {
  does: "One line per company: id, name and active products, separated by tabs.",
  required: [],
  optional: [],
  settleMs: 0,
  run: async ({ accounts }) => (await (await accounts()).listCompanies({})).companies.map(describeCompany),
};

const createUser: Command = {
  does: "Makes a user of a company.",
  required: ["email", "company"],
  optional: ["first-name", "last-name"],
  settleMs: 0,
  run: async ({ accounts, choosePassword }, values) => {
    const { email = "", company = "", "first-name": firstName = "", "last-name": lastName = "" } = values;
    const { password, generated } = choosePassword();
    const { user } = await (await accounts()).createUser({ email, company, firstName, lastName, password });
    return [`Created user ${describeUser(user)}`, ...tell(password, generated)];
  },
};

const setPassword: Command = {
  does: "Gives a user a new password and ends their sessions.",
  required: ["email"],
  optional: [],
  settleMs: SESSIONS_SETTLE_MS,
  run: async ({ accounts, choosePassword }, { email = "" }) => {
    const { password, generated } = choosePassword();
    await (await accounts()).setPassword({ email, password });
    return [`Set the password of ${email}`, ...tell(password, generated)];
  },
};

const listUsers: Command = {
  does: "One line per user: id, e-mail, company, first and last name, separated by tabs.",
  required: [],
  optional: [],
  settleMs: 0,
  run: async ({ accounts }) => (await (await accounts()).listUsers({})).users.map(describeUser),
};

const deleteUser: Command = {
  does: "Erases a user and ends their sessions; what the company has stays.",
  required: ["email"],
  optional: [],
  makesRoom: true,
  settleMs: SESSIONS_SETTLE_MS,
  run: async ({ accounts, erasures }, { email = "" }) => {
    await (await accounts()).deleteUser({ email });
    await (await erasures()).contents.scrub();
    return [`Deleted user ${email}`];
  },
};

const setProduct: Command = {
  does: "Switches a product (api or insight) of a company on (--active true) or off (--active false).",
  required: ["company", "uid", "active"],
  optional: [],
  settleMs: SESSIONS_SETTLE_MS,
  run: async ({ accounts }, { company: name = "", uid = "", active = "" }) => {
    if (active !== "true" && active !== "false") throw new UsageError("Give --active true or false.");
    const { company } = await (await accounts()).setProduct({ company: name, uid, active: active === "true" });
    return [`Changed company ${describeCompany(company)}`];
  },
};

const rotateKeys: Command = {
  does: "Makes a new signing key; sessions go on.",
  required: [],
  optional: [],
  settleMs: KEYS_SETTLE_MS,
  run: async ({ accounts }) => [`Made signing key ${(await (await accounts()).rotateKeys({})).keyId}`],
};

const encryptKeys: Command = {
  does:
    "Encrypts the signing keys in MongoDB with NEW_SIGNING_KEY_PASSPHRASE instead of SIGNING_KEY_PASSPHRASE; sessions go on. " +
    "Then give auth the new one and restart it.",
  required: [],
  optional: [],
  settleMs: 0,
  run: async ({ config, erasures }) => {
    const { newSigningKeyPassphrase: next } = config.admin;
    if (config.mongodbUrl === undefined) {
      throw new UsageError("Signing keys in DATA_DIR are files of their owner alone, without a passphrase.");
    }
    if (next === undefined) throw new UsageError("Set NEW_SIGNING_KEY_PASSPHRASE to the new passphrase.");
    const passphrase = config.auth.signingKeyPassphrase;
    const { store } = await erasures();
    return [`Encrypted ${await reencryptKeys({ store, passphrase, next })} signing keys with the new passphrase`];
  },
};

/** Commands on companies, users and keys, by their two words. */
export const ACCOUNT_COMMANDS: Readonly<Record<string, Command>> = {
  "company create": createCompany,
  "company list": listCompanies,
  "user create": createUser,
  "user set-password": setPassword,
  "user list": listUsers,
  "user delete": deleteUser,
  "product set": setProduct,
  "keys rotate": rotateKeys,
  "keys encrypt": encryptKeys,
};

function describeUser(user: User | undefined): string {
  const { id, email, company, firstName, lastName } = user ?? {};
  return [id, email, company?.name, firstName, lastName].join("\t");
}

function describeCompany(company: Company | undefined): string {
  const active = company?.products.filter((product) => product.active).map(({ uid }) => uid) ?? [];
  return [company?.id, company?.name, active.join(",")].join("\t");
}

/** A generated password is shown only here and stored nowhere. */
function tell(password: string, generated: boolean): string[] {
  return generated ? [`Password: ${password}`] : [];
}
