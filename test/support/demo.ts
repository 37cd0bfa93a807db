import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** A running demo. */
export interface Demo {
  readonly url: string;
  readonly email: string;
  readonly password: string;
}

/** The demo says so at first, before its address is printed with the user. */
const PRINTED = /Hourglass demo\s+(http:\/\/\S+?)(?:\/\S*)?\s+User\s+(\S+), password (\S+)/;

export interface DemoOptions {
  /** Its entry point, which is compiled. */
  readonly entry: string;
  /** Postings that it begins with, and that come in a minute. */
  readonly postings: number;
  readonly perMinute: number;
  /** How long it may take to begin, in milliseconds. */
  readonly limitMs: number;
}

/** Starts the demo on a folder and a port that nothing else uses; its user may ask as often as they like. */
export async function startDemo(
  options: DemoOptions,
): Promise<{ readonly demo: Demo; readonly stop: () => Promise<void> }> {
  const { entry, postings, perMinute, limitMs } = options;
  const folder = await mkdtemp(path.join(tmpdir(), "hourglass-demo-"));
  const arguments_ = [entry, "--port", "0", "--postings", String(postings), "--per-minute", String(perMinute)];
  const env = {
    ...{ PATH: process.env["PATH"], HOME: process.env["HOME"], TMPDIR: folder },
    ...{ ANALYSIS_THREADS: "1", RATE_LIMIT_PER_MINUTE: "0", SIGN_IN_ATTEMPTS_PER_MINUTE: "0" },
  };
  const child = spawn(process.execPath, arguments_, { env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    return { demo: await printedBy(child.stdout, child.stderr, ended, limitMs), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function printedBy(
  output: NodeJS.ReadableStream,
  progress: NodeJS.ReadableStream,
  ended: Promise<void>,
  limitMs: number,
): Promise<Demo> {
  return new Promise((resolve, reject) => {
    let printed = "";
    let said = "";
    const timer = setTimeout(() => reject(new Error(`The demo was not ready in time:\n${said}`)), limitMs);
    void ended.then(() => reject(new Error(`The demo ended:\n${said}`)));
    progress.setEncoding("utf8").on("data", (text: string) => (said += text));
    output.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      const [, url = "", email = "", password = ""] = PRINTED.exec(printed) ?? [];
      if (url === "") return;
      clearTimeout(timer);
      resolve({ url, email, password });
    });
  });
}
