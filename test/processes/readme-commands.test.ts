import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { JetstreamUpstream } from "@hourglass/demo";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { endWithUs } from "../support/end-with-us.js";
import { FeedServer } from "../support/feed-server.js";
import { freePort } from "../support/free-port.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const README = readFileSync(path.join(ROOT, "README.md"), "utf8");
const PORT_OF_README = "8080";

const missing = ["bash", "curl", "npm"].filter((program) => spawnSync(program, ["--version"]).status !== 0);
if (missing.length > 0) {
  process.stderr.write(`\n!!! NOT TESTED: the commands of README.md. They need ${missing.join(" and ")}.\n\n`);
}

/** The shell commands of README.md between two headings, verbatim. */
function commands(from: string, to: string): string {
  const section = README.slice(README.indexOf(`## ${from}\n`), README.indexOf(`## ${to}\n`));
  return [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block ?? "").join("\n");
}

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

let folder: string;
let port: number;
let children: number[];
let feeds: FeedServer;
let network: JetstreamUpstream;
beforeEach(async () => {
  network = await JetstreamUpstream.start({ now: Date.now });
  feeds = await FeedServer.start();
  folder = await mkdtemp(path.join(tmpdir(), "hourglass-readme-"));
  port = await freePort();
  children = [];
});
afterEach(async () => {
  for (const group of children) endGroup(group);
  await Promise.all([feeds.close(), network.close()]);
  await rm(folder, { recursive: true, force: true });
});

/** A group of processes has ended, or never existed, if no signal can be sent to it. */
function endGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // ended
  }
}

/** Runs a bash script in the checkout, in a separate process group with its own state and port. */
async function bash(script: string): Promise<Ended> {
  const child = spawn("bash", ["-eo", "pipefail", "-c", script], {
    cwd: ROOT,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      DATA_DIR: path.join(folder, "data"),
      PORT: String(port),
      // In place of the feeds of publishers.
      NEWS_FEEDS: feeds.url("/news"),
      // In place of the public stream.
      BLUESKY_JETSTREAM_URL: network.url,
      ALLOW_PRIVATE_URLS: "true",
    },
  });
  const { pid } = child;
  if (pid === undefined) throw new Error("bash does not start");
  children.push(pid);
  endWithUs(() => endGroup(pid));
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  return { code, ...output };
}

/** The commands that the README tells a new user to paste, except the clone: this checkout is tested. */
function firstMinutes(): string {
  const pasted = commands("Run it", "Users, jobs and backups");
  const here = pasted.replace(/^git clone .*\n/, "").replaceAll("hourglass.log", path.join(folder, "hourglass.log"));
  return here.replaceAll(`localhost:${PORT_OF_README}`, `127.0.0.1:${port}`);
}

/** The answers in JSON that the README shows. */
function shownAnswers(): unknown[] {
  return [...README.matchAll(/```json\n([^`]*)```/g)].map(([, text]) => JSON.parse(text ?? "") as unknown);
}

/** The objects in JSON that the commands print one after the other. */
function printed(output: string): unknown[] {
  const found =
    output
      .split("\n")
      .join("")
      .match(/\{"(?:id|postings)":.*?\}(?=\{"(?:id|postings)":|$)/gs) ?? [];
  return found.map((text) => JSON.parse(text) as unknown);
}

const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

describe.skipIf(missing.length > 0)("the commands of the README, pasted into a shell", () => {
  it("lead to the results of a text, a photo and an insight, and npm start ends in order on a signal", async () => {
    expect(commands("Run it", "A first request")).toMatch(/^git clone .* && cd hourglass\n/);
    const text = "Visitors love the new museum.";
    feeds.feeds.set("/news", [{ guid: "a-1", title: "Climate museum opens in Lisbon", text, at: new Date() }]);
    network.post({ text: "The president visits our museum." });
    const { code, stdout, stderr } = await bash(`${firstMinutes()}\necho; kill $!; wait $! || true`);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const [shown, posting] = shownAnswers();
    const [results, photo, page, people] = printed(stdout);
    expect(results).toMatchObject({ data: shown });
    expect(photo).toMatchObject({ status: "done", data: { contents: [{ type: "file" }] } });
    expect(JSON.stringify(photo)).toContain("person");
    expect(page).toMatchObject({ postings: [posting] });
    expect(people).toMatchObject({
      postings: [{ platform: "bluesky", text_of_post: "The president visits our museum." }],
    });
    await vi.waitFor(async () => expect(await answers(`http://127.0.0.1:${port}/healthz`)).toBe(false));
    const log = () => readFileSync(path.join(folder, "hourglass.log"), "utf8");
    await vi.waitFor(() => expect(log()).toContain('"msg":"stopped"'));
  });

  it("do not continue in silence when the password is wrong", async () => {
    const script = firstMinutes().replace(/^TOKEN=/m, "BOOTSTRAP_PASSWORD='another one'\nTOKEN=");
    const { code, stderr } = await bash(`trap 'kill $!' EXIT\n${script}`);
    expect(code).not.toBe(0);
    expect(stderr).toContain("401");
  });

  it("say in a sentence which variable to set when the port is taken", async () => {
    const { code, stderr } = await bash(`npm start > /dev/null &
      until curl -fs -o /dev/null http://127.0.0.1:${port}/readyz; do sleep 0.2; done
      trap "kill $!" EXIT
      DATA_DIR="$DATA_DIR-2" npm start`);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `Could not start: port ${port} of 127.0.0.1 is in use by another program: stop that, or set PORT to a port that is free.`,
    );
    expect(stderr).not.toMatch(/^ +at /m);
  });
});
