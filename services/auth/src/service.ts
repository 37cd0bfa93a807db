import path from "node:path";
import {
  AUDIT_EVENTS,
  AuditTrail,
  declared,
  IDEMPOTENCY_TTL_MS,
  SERVICE_TOKEN_TTL_SECONDS,
  type Authenticate,
  type Logger,
  type ProcessConfig,
  type Route,
  type ServiceData,
  type Store,
} from "@hourglass/runtime";
import { Accounts, COMPANIES, USERS, type Bootstrapped } from "./accounts.js";
import { adminRoute } from "./admin-route.js";
import { API_KEY_ANSWERS, API_KEY_SECRETS, API_KEYS, ApiKeys } from "./api-keys.js";
import { authRoute } from "./auth-route.js";
import { CompanyUsers } from "./company-users.js";
import type { AuthConfig } from "./config.js";
import { DerivedSecrets } from "./derived-secrets.js";
import { ERASURES } from "./erasures.js";
import { FileKeyStore, RecordKeyStore, SIGNING_KEYS, type KeyStore } from "./key-store.js";
import { PasswordHasher } from "./passwords.js";
import { ENDED_SESSIONS, EndedSessions } from "./sessions.js";
import { SignIn } from "./sign-in.js";
import { KeyRing } from "./signing-keys.js";
import { Tokens } from "./tokens.js";
import { USER_ANSWERS, UserCreation } from "./user-creation.js";

/** All that this service keeps. */
export const AUTH_DATA: ServiceData = {
  collections: [
    declared(AUDIT_EVENTS),
    declared(API_KEYS),
    declared(API_KEY_ANSWERS),
    declared(API_KEY_SECRETS),
    declared(ENDED_SESSIONS),
    declared(USER_ANSWERS),
    declared(USERS),
    declared(SIGNING_KEYS),
    declared(ERASURES),
    declared(COMPANIES),
  ],
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
   * Checks tokens and API keys against the records. Auth's own dispatcher uses it directly: the other services already cache its
   * results for a second, and a second cache here would double the lifetime of ended sessions.
   */
  authenticate: Authenticate;
  /** Creates the first user if there is none; returns that user if their password is known. */
  bootstrap(): Promise<Bootstrapped | undefined>;
  /** Erases what is kept for a limited time: the audit log, and ended sessions. Repeated once an hour if this serves. */
  sweep(): Promise<void>;
  close(): void;
}

const SWEEP_EVERY_MS = 3_600_000;

/** Opens Auth's records and, if it serves, its keys, creating what is missing. */
export async function buildAuthService(options: AuthServiceOptions): Promise<AuthServiceParts> {
  const { store, config, log, now = Date.now, hasher = new PasswordHasher(), serving = true, serviceSecret } = options;
  const { tokenTtlSeconds: ttlSeconds, sessionSeconds, signInAttemptsPerMinute: attemptsPerMinute } = config.auth;
  const accounts = await Accounts.open({ store, hasher, now, log });
  const ended = await EndedSessions.open(store);
  const users = await CompanyUsers.open(store);
  const audit = new AuditTrail(store, now);
  // A key is kept until all tokens signed with it have expired, including those of services, and no answer needs it again.
  const keptSeconds = Math.max(ttlSeconds, SERVICE_TOKEN_TTL_SECONDS, IDEMPOTENCY_TTL_MS / 1000);
  const ring = { store: await openKeyStore(options), log, tokenTtlSeconds: keptSeconds, now };
  const keys = serving ? await KeyRing.open(ring) : KeyRing.lazy(ring);
  if (serving) keys.watch();
  const secrets = new DerivedSecrets(keys);
  const apiKeys = await ApiKeys.open({ store, accounts, secrets, now, log });
  const userCreation = await UserCreation.open({ store, accounts, secrets, now });
  const tokens = new Tokens({ accounts, apiKeys, ended, keys, ttlSeconds, sessionSeconds, serviceSecret, log, now });
  const signIn = new SignIn({ accounts, hasher, tokens, audit, log, attemptsPerMinute, now });
  const sweep = async () => {
    await audit.eraseBefore(now() - config.auth.auditMs);
    await ended.forgetBefore(Math.floor(now() / 1000));
    await apiKeys.forgetAnswers();
    await userCreation.forgetAnswers();
  };
  const stopSweeping = serving ? await sweepHourly(sweep, log) : () => undefined;
  return {
    routes: [authRoute({ apiKeys, users, userCreation, audit, signIn, tokens, keys })],
    adminRoute: adminRoute({ accounts, apiKeys, users, audit, keys }),
    authenticate: (token) => tokens.authenticate(token),
    bootstrap: () => accounts.bootstrap(config.auth.bootstrap, config.dataDir),
    sweep,
    close: () => {
      signIn.close();
      keys.close();
      stopSweeping();
    },
  };
}

/** Sweeps now and once an hour; returns what ends it. */
async function sweepHourly(sweep: () => Promise<void>, log: Logger): Promise<() => void> {
  await sweep();
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => {
      log.warn({ err: error }, "what is kept for a limited time could not be erased");
    });
  }, SWEEP_EVERY_MS).unref();
  return () => clearInterval(timer);
}

async function openKeyStore({ store, config, keyStore }: AuthServiceOptions): Promise<KeyStore> {
  const place = keyStore ?? (config.mongodbUrl === undefined ? "files" : "store");
  if (place === "files") return new FileKeyStore(path.join(config.dataDir, "keys"));
  return RecordKeyStore.open(store, config.auth.signingKeyPassphrase);
}
