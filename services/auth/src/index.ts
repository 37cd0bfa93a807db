import path from "node:path";
import {
  SERVICE_TOKEN_TTL_SECONDS,
  TokenVerifier,
  USER_TOKENS,
  type Authenticate,
  type Logger,
  type ProcessConfig,
  type Route,
  type Store,
} from "@hourglass/runtime";
import type { Accounts } from "./accounts.js";
import { createAuthenticate } from "./authenticate.js";
import { createBootstrap, type Bootstrapped } from "./bootstrap.js";
import { COMPANIES } from "./company.js";
import type { AuthConfig } from "./config.js";
import { createCreateCompany } from "./create-company.js";
import { createCreateUser } from "./create-user.js";
import { createDeleteUser } from "./delete-user.js";
import { createIssueServiceToken } from "./issue-service-token.js";
import { createFileKeyStore } from "./keys/file-key-store.js";
import { KeyRing } from "./keys/key-ring.js";
import type { KeyStore } from "./keys/key-store.js";
import { createStoredKeyStore } from "./keys/stored-key-store.js";
import { createListCompanies } from "./list-companies.js";
import { createListUsers } from "./list-users.js";
import { PasswordHasher } from "./passwords/password-hasher.js";
import { adminRoute, authRoute } from "./rpc.js";
import { createSetPassword } from "./set-password.js";
import { createSetProduct } from "./set-product.js";
import { SignInThrottle } from "./sign-in-throttle.js";
import { createSignIn } from "./sign-in.js";
import { USERS } from "./user.js";
import { WaitingRoom } from "./waiting-room.js";

export { KEY_LEAD_MS } from "./keys/key-ring.js";
export { generatePassword } from "./passwords/generate-password.js";
export type { Bootstrapped } from "./bootstrap.js";
export { authSettings, type AuthConfig } from "./config.js";

/** Delayed sign-ins of all clients at a time; each is a timer and a call that waits. */
const DELAYED_MAX = 1000;

export interface AuthServiceOptions {
  store: Store;
  config: Pick<ProcessConfig, "dataDir" | "mongodbUrl"> & { auth: AuthConfig };
  log: Logger;
  /** Milliseconds since 1970. */
  now?: () => number;
  hasher?: PasswordHasher;
  /**
   * Whether this process serves (the default): then it follows what others do to the keys and removes those that have
   * had their time. A command does neither; it may not even know the passphrase or the lifetime of tokens of the server.
   */
  serving?: boolean;
  /**
   * Where signing keys are: as files in the data folder, which the processes of one machine share, or as records of the
   * store, which all replicas share; those are encrypted when a passphrase is configured. Default: where the records are.
   */
  keyStore?: "files" | "store";
  /** What services show to get tokens of their own; without it none are issued. */
  serviceSecret?: string | undefined;
}

export interface AuthServiceParts {
  /** AuthService, to be served under a dispatcher that has `authenticate`. */
  routes: Route[];
  /** AdminService: in-process only, never on a port. */
  adminRoute: Route;
  /**
   * Checks tokens against the records themselves. Auth's own dispatcher takes it as it is: the others keep its answers
   * for a second already, and a second cache behind theirs would double the time that ended sessions live.
   */
  authenticate: Authenticate;
  /** Makes the first user when there is none; returns that user if their password is known. */
  bootstrap(): Promise<Bootstrapped | undefined>;
  close(): void;
}

/** Opens Auth's records and, where it serves, its keys, making what is missing, and binds its use cases. */
export async function buildAuthService(options: AuthServiceOptions): Promise<AuthServiceParts> {
  const { store, config, log, now = Date.now, hasher = new PasswordHasher(), serving = true, serviceSecret } = options;
  const { tokenTtlSeconds, signInAttemptsPerMinute, bootstrap: settings } = config.auth;
  const accounts: Accounts = {
    users: await store.collection(USERS),
    companies: await store.collection(COMPANIES),
  };
  // A key is kept until every token that it signed has expired, those of services too.
  const keptSeconds = Math.max(tokenTtlSeconds, SERVICE_TOKEN_TTL_SECONDS);
  const ring = { store: await openKeyStore(options), log, tokenTtlSeconds: keptSeconds, now };
  const keys = serving ? await KeyRing.open(ring) : KeyRing.unread(ring);
  if (serving) keys.watch();
  const throttle = new SignInThrottle(signInAttemptsPerMinute, now);
  const waitingRoom = new WaitingRoom(DELAYED_MAX);
  const createCompany = createCreateCompany(store, accounts, now);
  const createUser = createCreateUser({ store, accounts, hasher, now });
  return {
    routes: [
      authRoute({
        signIn: createSignIn({ accounts, hasher, throttle, waitingRoom, keys, tokenTtlSeconds, now }),
        listKeys: () => keys.list(),
        issueServiceToken: createIssueServiceToken({
          companies: accounts.companies,
          keys,
          secret: serviceSecret,
          log,
          now,
        }),
      }),
    ],
    adminRoute: adminRoute({
      createCompany,
      listCompanies: createListCompanies(accounts),
      createUser,
      setPassword: createSetPassword(accounts, hasher),
      deleteUser: createDeleteUser(accounts),
      listUsers: createListUsers(accounts),
      setProduct: createSetProduct(accounts),
      rotateKeys: () => keys.rotate(),
    }),
    authenticate: createAuthenticate(accounts, new TokenVerifier(USER_TOKENS, keys, now)),
    bootstrap: createBootstrap({ accounts, settings, createCompany, createUser, hasher, log }),
    close: () => {
      waitingRoom.empty();
      keys.close();
    },
  };
}

async function openKeyStore({ store, config, keyStore }: AuthServiceOptions): Promise<KeyStore> {
  const place = keyStore ?? (config.mongodbUrl === undefined ? "files" : "store");
  if (place === "files") return createFileKeyStore(path.join(config.dataDir, "keys"));
  return createStoredKeyStore({ store, passphrase: config.auth.signingKeyPassphrase });
}
