import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../support/free-port.js";
import { cpuSecondsOf } from "./process-tree.js";

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../..");
export const PASSWORD = "bench-password-1";

/** A server in a separate process. */
export interface ServerProcess {
  url: string;
  /** Where it serves its metrics, if it has any. */
  opsUrl: string;
  pid: number;
  /** From spawn to the first 200 of its probe. */
  startMs: number;
  /** Processor seconds of the process so far. */
  cpuSeconds(): Promise<number>;
  /** Stops it from running, until it is resumed. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

/** Starts the whole product like `npm start`, on a fresh data folder. */
export async function startHourglass(env: Record<string, string> = {}): Promise<ServerProcess> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "hourglass-bench-"));
  const server = await startProcess([path.join(ROOT, "services/standalone/dist/main.js")], "/readyz", {
    DATA_DIR: dataDir,
    LOG_LEVEL: "warn",
    BOOTSTRAP_PASSWORD: PASSWORD,
    RATE_LIMIT_PER_MINUTE: "0",
    ...env,
  });
  return {
    ...server,
    close: async () => {
      await server.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts the process of one part; its probe is on the port for monitors. */
export function startPart(entry: string, probe: string, env: Record<string, string>): Promise<ServerProcess> {
  return startProcess([path.join(ROOT, entry)], probe, env, "OPS_PORT");
}

/** Runs a node program to its end; returns the milliseconds that it took. */
export async function runToEnd(args: string[], env: Record<string, string> = {}): Promise<number> {
  const begin = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`${args.join(" ")} ended with code ${String(code)}`);
  return performance.now() - begin;
}

/** The baselines, by their files. */
export type Baseline =
  | "bare-express"
  | "bare-upload"
  | "express-over-grpc"
  | "export-gateway"
  | "export-server"
  | "plain-grpc"
  | "rpc-servers";

/** Starts one of the baselines. */
export function startBaseline(name: Baseline, env: Record<string, string> = {}): Promise<ServerProcess> {
  return startProcess([path.join(ROOT, `test/dist/bench/baseline/${name}.js`)], "/", env);
}

/** Signs a user in, the first one by default; returns the value of the Authorization header. */
export async function signIn(url: string, email = "admin@example.com", password = PASSWORD): Promise<string> {
  const response = await fetch(`${url}/api/v1/users/sign_in`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ user: { email, password } }),
  });
  const authorization = response.headers.get("authorization");
  if (authorization === null) throw new Error(`sign-in answered ${response.status}`);
  return authorization;
}

/** Starts a node program with a free port in that variable, and waits until its probe answers 200. */
async function startProcess(
  args: string[],
  probe: string,
  env: Record<string, string>,
  portVariable = "PORT",
): Promise<ServerProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const begin = performance.now();
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env["PATH"] ?? "", [portVariable]: String(port), ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  await untilAnswers(url + probe, child);
  const startMs = performance.now() - begin;
  return {
    url,
    opsUrl: url,
    pid: child.pid ?? 0,
    startMs,
    cpuSeconds: () => cpuSecondsOf(child.pid ?? 0),
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    close: () =>
      new Promise((resolve) => {
        child.once("exit", () => {
          resolve();
        });
        child.kill("SIGTERM");
      }),
  };
}

async function untilAnswers(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const response = await fetch(url).catch(() => undefined); // refused until the server listens
    if (response?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`the server ended with code ${child.exitCode} before it was ready`);
}
