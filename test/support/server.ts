import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createLogger, Lifecycle, readConfig } from "@hourglass/runtime";
import { startStandalone, type Transport } from "@hourglass/standalone";

export const EMAIL = "admin@example.com";
export const PASSWORD = "correct horse battery staple";

/** An answer of the server, with its body already read. */
export interface Answer {
  status: number;
  headers: Headers;
  /** The body as it came. */
  text: string;
  /** The body as JSON; undefined when it is none. */
  body: unknown;
}

/** The whole product in this process, on a data folder of its own. */
export interface TestServer {
  url: string;
  dataDir: string;
  /** Signs in; returns the value of the Authorization header. */
  signIn(email?: string, password?: string): Promise<string>;
  /** Sends a request; an object as body goes as JSON. */
  send(method: string, route: string, options?: SendOptions): Promise<Answer>;
  close(): Promise<void>;
}

export interface SendOptions {
  authorization?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Starts a server on a free port; `env` overrides the configuration by the names of its variables. */
export async function startServer(
  env: Record<string, string> = {},
  transport: Transport = "in-process",
): Promise<TestServer> {
  const dataDir = env["DATA_DIR"] ?? (await mkdtemp(path.join(tmpdir(), "hourglass-test-")));
  const config = readConfig({
    PORT: "0",
    DATA_DIR: dataDir,
    LOG_LEVEL: "silent",
    BOOTSTRAP_EMAIL: EMAIL,
    BOOTSTRAP_PASSWORD: PASSWORD,
    SIGN_IN_ATTEMPTS_PER_MINUTE: "0",
    RATE_LIMIT_PER_MINUTE: "0",
    ANALYSIS_THREADS: "1",
    ...env,
  });
  const log = createLogger(config.logLevel);
  const lifecycle = new Lifecycle(log);
  const { url } = await startStandalone({ config, log, lifecycle, transport });
  const send = sender(url);
  return {
    url,
    dataDir,
    send,
    signIn: async (email = EMAIL, password = PASSWORD) => {
      const answer = await send("POST", "/api/v1/users/sign_in", { body: { user: { email, password } } });
      const authorization = answer.headers.get("authorization");
      if (authorization === null) throw new Error(`sign-in answered ${answer.status}: ${answer.text}`);
      return authorization;
    },
    close: async () => {
      await lifecycle.stop(5000);
      if (env["DATA_DIR"] === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function sender(url: string): TestServer["send"] {
  return async (method, route, options = {}) => {
    const raw = options.body === undefined || typeof options.body === "string" || options.body instanceof Uint8Array;
    const response = await fetch(url + route, {
      method,
      redirect: "manual",
      headers: {
        ...(options.body === undefined ? {} : { "content-type": "application/json" }),
        ...(options.authorization === undefined ? {} : { authorization: options.authorization }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { body: raw ? (options.body as string) : JSON.stringify(options.body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // the caller sees `text`
  }
}
