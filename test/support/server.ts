import { createLogger, Lifecycle } from "@hourglass/runtime";
import { IN_FULL } from "@hourglass/runtime/testing";
import { readStandaloneConfig, startStandalone, type Transport } from "@hourglass/standalone";
import { Deployment } from "./deployment.js";
import { openTestStorage } from "./test-storage.js";

export const EMAIL = "admin@example.com";
export const PASSWORD = "correct horse battery staple";

/** A response of the server, with its body already read. */
export interface Answer {
  status: number;
  headers: Headers;
  /** The body as received. */
  text: string;
  /** The body as JSON; undefined if it is not JSON. */
  body: unknown;
}

/** The whole product, on separate state. */
export interface TestServer {
  url: string;
  /** URL of `/metrics` and the detailed `/readyz` of the process that serves REST. */
  opsUrl: string;
  /** URL of the gRPC port of all services. */
  grpcUrl: string;
  dataDir: string;
  /** The variables with the location of its state, for example for the administration command. */
  storage: Readonly<Record<string, string>>;
  /** Signs in; returns the value of the Authorization header. */
  signIn(email?: string, password?: string): Promise<string>;
  /** Sends a request; objects are sent as JSON. */
  send(method: string, route: string, options?: SendOptions): Promise<Answer>;
  close(): Promise<void>;
}

export interface SendOptions {
  authorization?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Settings of a product under test, except for the location of its state. */
export const TEST_SETTINGS = {
  BOOTSTRAP_EMAIL: EMAIL,
  BOOTSTRAP_PASSWORD: PASSWORD,
  SIGN_IN_ATTEMPTS_PER_MINUTE: "0",
  RATE_LIMIT_PER_MINUTE: "0",
  ANALYSIS_THREADS: "1",
  SERVICE_SECRET: "a secret that all services share",
};

/** Transports between the services, for the tests of the whole path. Real servers and separate processes leave no choice. */
export const BOTH_TRANSPORTS: readonly Transport[] =
  process.env["TEST_STORAGE"] === "servers" ? ["in-process"] : ["in-process", "grpc"];

/** Those for all other tests: test/grpc/calls.test.ts tests what handlers could notice of them. */
export const TRANSPORTS: readonly Transport[] = IN_FULL ? BOTH_TRANSPORTS : ["in-process"];

/**
 * Starts a server on a free port; `env` overrides the configuration by variable names. The environment of the run
 * selects the storage (TEST_STORAGE=servers) and separate processes (TEST_TOPOLOGY=processes); the default is one
 * process on files, whose services call each other by `transport`.
 */
export async function startServer(
  env: Record<string, string> = {},
  transport: Transport = "in-process",
): Promise<TestServer> {
  const testStorage = await openTestStorage();
  const settings = { ...TEST_SETTINGS, ...testStorage.env, ...env };
  const apart = process.env["TEST_TOPOLOGY"] === "processes";
  const { url, opsUrl, grpcUrl, stop } = apart ? await startProcesses(settings) : await startHere(settings, transport);
  const send = sender(url);
  return {
    url,
    opsUrl,
    grpcUrl,
    dataDir: env["DATA_DIR"] ?? testStorage.dataDir,
    storage: testStorage.env,
    send,
    signIn: async (email = EMAIL, password = PASSWORD) => {
      const answer = await send("POST", "/api/v1/users/sign_in", { body: { user: { email, password } } });
      const authorization = answer.headers.get("authorization");
      if (authorization === null) throw new Error(`sign-in answered ${answer.status}: ${answer.text}`);
      return authorization;
    },
    close: async () => {
      await stop();
      await testStorage.remove();
    },
  };
}

interface Started {
  url: string;
  opsUrl: string;
  grpcUrl: string;
  stop(): Promise<void>;
}

async function startHere(settings: Record<string, string>, transport: Transport): Promise<Started> {
  const config = readStandaloneConfig({ PORT: "0", GRPC_PORT: "0", LOG_LEVEL: "silent", ...settings });
  const log = createLogger(config.logLevel);
  const lifecycle = new Lifecycle(log);
  const { url, grpcPort } = await startStandalone({ config, log, lifecycle, transport });
  const opsUrl = config.opsPort === undefined ? url : `http://127.0.0.1:${config.opsPort}`;
  return { url, opsUrl, grpcUrl: `http://127.0.0.1:${grpcPort}`, stop: () => lifecycle.stop(5000) };
}

async function startProcesses(settings: Record<string, string>): Promise<Started> {
  const deployment = await Deployment.prepare({ topology: "processes", env: { LOG_LEVEL: "warn", ...settings } });
  deployment.start();
  try {
    await deployment.ready();
  } catch (error) {
    await deployment.end("SIGKILL");
    throw error;
  }
  const stop = async () => {
    await deployment.end("SIGTERM");
    if (deployment.errors.length > 0) throw new Error(`unexpected in the log:\n${deployment.errors.join("\n")}`);
  };
  return { url: deployment.url, opsUrl: deployment.opsUrl, grpcUrl: deployment.grpcUrl, stop };
}

/** Sends requests to the server at a URL. */
export function sender(url: string): TestServer["send"] {
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
