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
import type { Accounts } from "./accounts/accounts.js";
import { createAuthenticate } from "./tokens/authenticate.js";
import { createBootstrap, type Bootstrapped } from "./accounts/bootstrap.js";
import { COMPANIES } from "./accounts/company.js";
import type { AuthConfig } from "./config.js";
import { createCreateCompany } from "./accounts/create-company.js";
import { createCreateUser } from "./accounts/create-user.js";
import { createDeleteUser } from "./accounts/delete-user.js";
import { createIssueServiceToken } from "./tokens/issue-service-token.js";
import { createFileKeyStore } from "./keys/file-key-store.js";
import { KeyRing } from "./keys/key-ring.js";
import type { KeyStore } from "./keys/key-store.js";
import { createStoredKeyStore } from "./keys/stored-key-store.js";
import { createListCompanies } from "./accounts/list-companies.js";
import { createListUsers } from "./accounts/list-users.js";
import { PasswordHasher } from "./passwords/password-hasher.js";
import { adminRoute, authRoute } from "./rpc.js";
import { createSetPassword } from "./accounts/set-password.js";
import { createSetProduct } from "./accounts/set-product.js";
import { SignInThrottle } from "./sign-in/sign-in-throttle.js";
import { createSignIn } from "./sign-in/sign-in.js";
import { USERS } from "./accounts/user.js";
import { WaitingRoom } from "./sign-in/waiting-room.js";

/** Maximum number of delayed sign-ins of all clients; each is a timer and a pending call. */
const DELAYED_MAX = 1000;

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

/** Opens Auth's records and, if it serves, its keys, creating what is missing, and wires its use cases. */
export async function buildAuthService(options: AuthServiceOptions): Promise<AuthServiceParts> {
  const { store, config, log, now = Date.now, hasher = new PasswordHasher(), serving = true, serviceSecret } = options;
  const { tokenTtlSeconds, signInAttemptsPerMinute, bootstrap: settings } = config.auth;
  const accounts: Accounts = {
    users: await store.collection(USERS),
    companies: await store.collection(COMPANIES),
  };
  // A key is kept until all tokens signed with it have expired, including those of services.
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
