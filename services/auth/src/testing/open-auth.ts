import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { AdminService } from "@hourglass/proto/auth/v1/admin_service";
import { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import {
  AuditTrail,
  createInProcessClient,
  createLogger,
  Dispatcher,
  openSqliteStore,
  readConfig,
  type Client,
  type Store,
} from "@hourglass/runtime";
import { authSettings } from "../config.js";
import { buildAuthService, type AuthServiceParts } from "../service.js";
import { PasswordHasher, type Argon2 } from "../passwords.js";

export const EMAIL = "ann@example.com";
export const PASSWORD = "correct horse battery staple";
export const START = Date.parse("2026-01-31T12:00:00Z");

/** A fake of Argon2 without its cost that counts its calls. */
export interface CountingArgon2 extends Argon2 {
  hashed: number;
  verified: string[];
}

/** Auth on its own data folder, with a clock that only tests advance. */
export interface TestAuth {
  parts: AuthServiceParts;
  auth: Client<typeof AuthService>;
  admin: Client<typeof AdminService>;
  argon2: CountingArgon2;
  store: Store;
  dataDir: string;
  clock: { now: number };
  /** Log lines of level warn, of this process. */
  warnings: string[];
  /** Another process on the same data, at the same time. */
  beside(env?: Record<string, string>): Promise<TestAuth>;
  /** Company Acme with one user, EMAIL and PASSWORD. */
  populate(): Promise<void>;
  signIn(email?: string, password?: string): Promise<string>;
  close(): Promise<void>;
}

/** Opens Auth; `env` overrides the configuration by the names of its variables. */
export async function openAuth(env: Record<string, string> = {}): Promise<TestAuth> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "hourglass-auth-"));
  const opened: TestAuth[] = [];
  const first = await open(dataDir, { now: START }, env, opened);
  first.close = async () => {
    for (const { parts, store } of opened) {
      parts.close();
      await store.close();
    }
    await rm(dataDir, { recursive: true, force: true });
  };
  return first;
}

async function open(
  dataDir: string,
  clock: { now: number },
  env: Record<string, string>,
  opened: TestAuth[],
): Promise<TestAuth> {
  const config = readConfig({ DATA_DIR: dataDir, SIGN_IN_ATTEMPTS_PER_MINUTE: "0", ...env }, { auth: authSettings });
  const warnings: string[] = [];
  const log = createLogger("silent");
  log.warn = (...[, text]: unknown[]) => void warnings.push(String(text));
  const store = await openSqliteStore({ dataDir, log });
  const argon2 = createCountingArgon2();
  const hasher = new PasswordHasher(argon2);
  const parts = await buildAuthService({
    store,
    config,
    log,
    hasher,
    now: () => clock.now,
    serviceSecret: config.serviceSecret,
  });
  const audit = new AuditTrail(store, () => clock.now);
  const dispatcher = new Dispatcher({ authenticate: parts.authenticate, audit, reportFailure: () => undefined });
  const [authRoute] = parts.routes;
  if (authRoute === undefined) throw new Error("there is no route");
  const auth = createInProcessClient(AuthService, authRoute, dispatcher);
  const admin = createInProcessClient(AdminService, parts.adminRoute, dispatcher);
  const test: TestAuth = {
    ...{ parts, auth, admin, argon2, store, dataDir, clock, warnings },
    beside: (other = env) => open(dataDir, clock, other, opened),
    populate: async () => {
      await admin.createCompany({ name: "Acme", products: ["api", "insight"] });
      await admin.createUser({ email: EMAIL, company: "Acme", firstName: "Ann", lastName: "Lee", password: PASSWORD });
    },
    signIn: async (email = EMAIL, password = PASSWORD) => (await auth.signIn({ user: { email, password } })).token,
    close: () => Promise.reject(new Error("close the first one")),
  };
  opened.push(test);
  return test;
}

function createCountingArgon2(): CountingArgon2 {
  const digest = (password: string): string => createHash("sha256").update(password).digest("base64").replace("=", "");
  return {
    hashed: 0,
    verified: [],
    hash(password, { memoryCost, timeCost, parallelism }) {
      this.hashed += 1;
      const parameters = `m=${memoryCost},t=${timeCost},p=${parallelism}`;
      return Promise.resolve(`$argon2id$v=19$${parameters}$c2FsdHNhbHRzYWx0c2FsdA$${digest(password)}`);
    },
    verify(encoded, password) {
      this.verified.push(encoded);
      return Promise.resolve(encoded.endsWith(`$${digest(password)}`));
    },
  };
}
