import path from "node:path";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { AdminService } from "@hourglass/proto/auth/v1/admin_service";
import { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import {
  declared,
  route,
  SERVICE_TOKEN_TTL_SECONDS,
  unauthenticated,
  type Authenticate,
  type Logger,
  type Principal,
  type ProcessConfig,
  type Route,
  type ServiceData,
  type Store,
} from "@hourglass/runtime";
import {
  Accounts,
  COMPANIES,
  productsOf,
  toPrincipal,
  USERS,
  type Bootstrapped,
  type CompanyRecord,
} from "./accounts.js";
import type { AuthConfig } from "./config.js";
import { ERASURES } from "./erasures.js";
import { FileKeyStore, RecordKeyStore, SIGNING_KEYS, type KeyStore } from "./key-store.js";
import { PasswordHasher } from "./passwords.js";
import { SignIn } from "./sign-in.js";
import { KeyRing } from "./signing-keys.js";
import { Tokens } from "./tokens.js";

/** All that this service keeps. */
export const AUTH_DATA: ServiceData = {
  collections: [declared(USERS), declared(SIGNING_KEYS), declared(ERASURES), declared(COMPANIES)],
};

export interface AuthServiceOptions {
  store: Store;
  config: Pick<ProcessConfig, "dataDir" | "mongodbUrl"> & { auth: AuthConfig };
  log: Logger;
  /** Milliseconds since 1970. */
  now?: () => number;
  hasher?: PasswordHasher;
  /**
   * Whether this process serves (the default): it then follows key changes of other processes and removes retired keys.
   * A command does neither; it may not even know the server's passphrase or token lifetime.
   */
  serving?: boolean;
  /**
   * Location of the signing keys: files in the data folder, shared by the processes of one machine, or records of the
   * store, shared by all replicas and encrypted if a passphrase is configured. Default: where the records are.
   */
  keyStore?: "files" | "store";
  /** The secret with which services obtain tokens; without it none are issued. */
  serviceSecret?: string | undefined;
}

export interface AuthServiceParts {
  /** AuthService, to be served under a dispatcher that has `authenticate`. */
  routes: Route[];
  /** AdminService: in-process only, never on a port. */
  adminRoute: Route;
  /**
   * Checks tokens against the records. Auth's own dispatcher uses it directly: the other services already cache its
   * results for a second, and a second cache here would double the lifetime of ended sessions.
   */
  authenticate: Authenticate;
  /** Creates the first user if there is none; returns that user if their password is known. */
  bootstrap(): Promise<Bootstrapped | undefined>;
  close(): void;
}

/** Opens Auth's records and, if it serves, its keys, creating what is missing. */
export async function buildAuthService(options: AuthServiceOptions): Promise<AuthServiceParts> {
  const { store, config, log, now = Date.now, hasher = new PasswordHasher(), serving = true, serviceSecret } = options;
  const { tokenTtlSeconds: ttlSeconds, signInAttemptsPerMinute: attemptsPerMinute } = config.auth;
  const accounts = await Accounts.open({ store, hasher, now, log });
  // A key is kept until all tokens signed with it have expired, including those of services.
  const keptSeconds = Math.max(ttlSeconds, SERVICE_TOKEN_TTL_SECONDS);
  const ring = { store: await openKeyStore(options), log, tokenTtlSeconds: keptSeconds, now };
  const keys = serving ? await KeyRing.open(ring) : KeyRing.lazy(ring);
  if (serving) keys.watch();
  const tokens = new Tokens({ accounts, keys, ttlSeconds, serviceSecret, log, now });
  const signIn = new SignIn({ accounts, hasher, tokens, attemptsPerMinute, now });
  return {
    routes: [authRoute(signIn, tokens, keys)],
    adminRoute: adminRoute(accounts, keys),
    authenticate: (token) => tokens.authenticate(token),
    bootstrap: () => accounts.bootstrap(config.auth.bootstrap),
    close: () => {
      signIn.close();
      keys.close();
    },
  };
}

async function openKeyStore({ store, config, keyStore }: AuthServiceOptions): Promise<KeyStore> {
  const place = keyStore ?? (config.mongodbUrl === undefined ? "files" : "store");
  if (place === "files") return new FileKeyStore(path.join(config.dataDir, "keys"));
  return RecordKeyStore.open(store, config.auth.signingKeyPassphrase);
}

function authRoute(signIn: SignIn, tokens: Tokens, keys: KeyRing): Route {
  return route(AuthService, {
    signIn: async ({ user, clientAddress }, { signal }) => {
      const { email = "", password = "" } = user ?? {};
      const session = await signIn.signIn({ email, password, address: clientAddress, signal });
      const expiresAt = timestampFromMs(session.expiresAt * 1000);
      return { user: toUser(toPrincipal(session)), token: session.token, expiresAt };
    },
    getUser: (_, { principal }) => {
      if (!("userId" in principal)) return Promise.reject(unauthenticated());
      return Promise.resolve({ user: toUser(principal) });
    },
    listKeys: () => Promise.resolve({ keys: keys.list().map(({ id, publicJwk }) => ({ id, jwkJson: publicJwk })) }),
    issueServiceToken: async ({ service, companyId, secret }) => {
      const { token, company } = await tokens.issueServiceToken({ service, companyId: Number(companyId), secret });
      return { token, expiresInSeconds: SERVICE_TOKEN_TTL_SECONDS, company: toCompany(company) };
    },
  });
}

/** Every method is open: the route is never served on a port, and those who can run the command already own the data. */
function adminRoute(accounts: Accounts, keys: KeyRing): Route {
  return route(
    AdminService,
    {
      createCompany: async (request) => ({ company: toCompany(await accounts.createCompany(request)) }),
      listCompanies: async () => ({ companies: (await accounts.listCompanies()).map(toCompany) }),
      createUser: async (request) => ({ user: toUser(toPrincipal(await accounts.createUser(request))) }),
      setPassword: async ({ email, password }) => {
        await accounts.setPassword(email, password);
        return {};
      },
      deleteUser: async ({ email }) => {
        await accounts.deleteUser(email);
        return {};
      },
      listUsers: async () => ({ users: (await accounts.listUsers()).map((account) => toUser(toPrincipal(account))) }),
      setProduct: async (request) => ({ company: toCompany(await accounts.setProduct(request)) }),
      rotateKeys: async () => ({ keyId: await keys.rotate() }),
    },
    { open: true },
  );
}

function toUser({ userId, companyId, companyName, email, firstName, lastName, products }: Principal) {
  const company = { id: BigInt(companyId), name: companyName, products: products.map((product) => ({ ...product })) };
  return { id: BigInt(userId), email, firstName, lastName, company };
}

function toCompany(company: CompanyRecord) {
  return { id: BigInt(company.id), name: company.name, products: productsOf(company) };
}
