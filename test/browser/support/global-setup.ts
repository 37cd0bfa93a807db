import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { LIMITS } from "../../support/limits.js";
import { findChromium } from "./chromium.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The demo that all tests look at; undefined where there is no browser. */
    demo: Demo | undefined;
  }
}

/** A running demo. */
export interface Demo {
  readonly url: string;
  readonly email: string;
  readonly password: string;
}

const ENTRY = fileURLToPath(new URL("../../../services/demo/dist/main.js", import.meta.url));
/** The demo says so at first, before its address is printed with the user. */
const PRINTED = /Hourglass demo\s+(http:\/\/\S+?)(?:\/\S*)?\s+User\s+(\S+), password (\S+)/;

let stop: (() => Promise<void>) | undefined;

/** Starts the demo for all tests; says loudly that nothing is tested where there is no browser. */
export async function setup(project: TestProject): Promise<void> {
  if (findChromium() === undefined) {
    process.stderr.write(
      "\n!!! NOT TESTED: the web console. There is no Chromium here: install one (apt install chromium), or set CHROMIUM_PATH.\n\n",
    );
    project.provide("demo", undefined);
    return;
  }
  const folder = await mkdtemp(path.join(tmpdir(), "hourglass-browser-test-"));
  // No new postings while the tests run: what a test has counted stays so. Every page of the tests signs in.
  const arguments_ = [ENTRY, "--port", "0", "--postings", "500", "--per-minute", "0"];
  const env = {
    ...{ PATH: process.env["PATH"], HOME: process.env["HOME"], TMPDIR: folder },
    ...{ ANALYSIS_THREADS: "1", RATE_LIMIT_PER_MINUTE: "0", SIGN_IN_ATTEMPTS_PER_MINUTE: "0" },
  };
  const child = spawn(process.execPath, arguments_, { env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  stop = async () => {
    child.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    project.provide("demo", await printedBy(child.stdout, child.stderr, ended));
  } catch (error) {
    await teardown();
    throw error;
  }
}

export async function teardown(): Promise<void> {
  await stop?.();
}

function printedBy(
  output: NodeJS.ReadableStream,
  progress: NodeJS.ReadableStream,
  ended: Promise<void>,
): Promise<Demo> {
  return new Promise((resolve, reject) => {
    let printed = "";
    let said = "";
    const timer = setTimeout(() => reject(new Error(`The demo was not ready in time:\n${said}`)), LIMITS.test);
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
