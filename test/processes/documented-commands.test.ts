import { spawn, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { JetstreamUpstream } from "@hourglass/demo";
import { transform } from "esbuild";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { allPages, type Block, blocksOf, isDocumentation, ROOT } from "../docs/pages.js";
import { endWithUs } from "../support/end-with-us.js";
import { FeedServer } from "../support/feed-server.js";
import { freePort } from "../support/free-port.js";

const documentation = allPages().filter(isDocumentation);
const README = documentation.find(({ name }) => name === "README.md") ?? { name: "README.md", text: "" };

/** The command of the first screen is that of demo.test.ts. */
const DEMO = /^git clone .* && cd hourglass\nnpm run demo\n$/;
/** What a page takes for granted: another company, where it says Acme. */
const BEFORE: Readonly<Record<string, string>> = {
  "docs/privacy.md": "npm run -s admin -- company create --name Acme",
};
const RUNNABLE = /^(sh|bash|python|ts)$/;
/** Without the README, which has tests below, and CONTRIBUTING.md, whose commands build and test this checkout. */
const pages = documentation.filter(
  ({ name, text }) =>
    name !== "README.md" &&
    name !== "CONTRIBUTING.md" &&
    blocksOf({ name, text }).some(({ language }) => RUNNABLE.test(language)),
);

const missing = ["bash", "curl", "npm", "python3"].filter((program) => spawnSync(program, ["--version"]).status !== 0);
if (missing.length > 0) {
  process.stderr.write(`\n!!! NOT TESTED: the commands of the documentation. They need ${missing.join(" and ")}.\n\n`);
}

/** The default shells of Linux and of macOS. */
const SHELLS: Readonly<Record<string, readonly string[]>> = {
  bash: ["-eo", "pipefail", "-c"],
  zsh: ["-f", "-eo", "pipefail", "-c"],
};
const shells = Object.keys(SHELLS).filter((shell) => spawnSync(shell, ["--version"]).status === 0);
if (!shells.includes("zsh")) process.stderr.write("\n!!! NOT TESTED: the commands of the documentation in zsh.\n\n");

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
  folder = await mkdtemp(path.join(tmpdir(), "hourglass-documented-"));
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

/** Runs a script in the checkout, or a folder like it, in a separate process group with its own state and port. */
async function run(script: string, { shell = "bash", cwd = ROOT } = {}): Promise<Ended> {
  const child = spawn(shell, [...(SHELLS[shell] ?? []), script], {
    cwd,
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
  if (pid === undefined) throw new Error(`${shell} does not start`);
  children.push(pid);
  endWithUs(() => endGroup(pid));
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  return { code, ...output };
}

/** The commands that the README tells a new user to paste, except the demo: this checkout is tested. */
function firstMinutes(): string {
  const pasted = blocksOf(README).filter(({ language, text }) => language === "sh" && !DEMO.test(text));
  const script = pasted.map(({ text }) => text).join("\n");
  return script.replaceAll("hourglass.log", path.join(folder, "hourglass.log"));
}

/** The answers in JSON that the README shows. */
function shownAnswers(): unknown[] {
  return blocksOf(README)
    .filter(({ language }) => language === "json")
    .map(({ text }) => JSON.parse(text) as unknown);
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
  const title = "lead to the results of a text, a photo and an insight, and npm start ends in order on a signal, in %s";
  it.each(shells)(title, async (shell) => {
    expect(blocksOf(README)[0]?.text).toMatch(DEMO);
    const text = "Visitors love the new museum.";
    feeds.feeds.set("/news", [{ guid: "a-1", title: "Climate museum opens in Lisbon", text, at: new Date() }]);
    network.post({ text: "The president visits our museum." });
    const { code, stdout, stderr } = await run(`${firstMinutes()}\necho; kill $!; wait $! || true`, { shell });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const [shown, posting] = shownAnswers();
    const [results, photo, page, people, insight] = printed(stdout);
    expect(results).toMatchObject({ data: shown });
    expect(photo).toMatchObject({ status: "done", data: { contents: [{ type: "file" }] } });
    expect(JSON.stringify(photo)).toContain("person");
    expect(page).toMatchObject({ postings: [posting] });
    expect(people).toMatchObject({
      postings: [{ platform: "bluesky", text_of_post: "The president visits our museum." }],
    });
    expect(insight).toMatchObject({ status: "running", platforms: [{ platform: "news" }, { platform: "bluesky" }] });
    await vi.waitFor(async () => expect(await answers(`http://127.0.0.1:${port}/healthz`)).toBe(false));
    const log = () => readFileSync(path.join(folder, "hourglass.log"), "utf8");
    await vi.waitFor(() => expect(log()).toContain('"msg":"stopped"'));
  });

  it("do not continue in silence when the password is wrong", async () => {
    const script = firstMinutes().replace(/^TOKEN=/m, "BOOTSTRAP_PASSWORD='another one'\nTOKEN=");
    const { code, stderr } = await run(`trap 'kill $!' EXIT\n${script}`);
    expect(code).not.toBe(0);
    expect(stderr).toContain("401");
  });

  it("do not take another server for theirs, but end with the reason", async () => {
    const started = firstMinutes().split("\nTOKEN=")[0] ?? "";
    const { stdout } = await run(`npm start > "$DATA_DIR.first.log" 2>&1 &
      until curl -fs -o /dev/null http://127.0.0.1:${port}/readyz; do kill -0 $!; sleep 0.2; done
      trap "kill $!" EXIT
      export DATA_DIR="$DATA_DIR-2"
      ${started}
      echo "BASE is '$BASE'"`);
    expect(stdout).toContain(`Could not start: port ${port} of 127.0.0.1 is in use by another program`);
    expect(stdout).toContain("BASE is ''");
  });

  it("say in a sentence which variable to set when the port is taken", async () => {
    const { code, stderr } = await run(`npm start > /dev/null &
      until curl -fs -o /dev/null http://127.0.0.1:${port}/readyz; do kill -0 $!; sleep 0.2; done
      trap "kill $!" EXIT
      DATA_DIR="$DATA_DIR-2" npm start`);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `Could not start: port ${port} of 127.0.0.1 is in use by another program: stop that, or set PORT to a port that is free.`,
    );
    expect(stderr).not.toMatch(/^ +at /m);
  });
});

describe.skipIf(missing.length > 0)("the commands of a page, on a fresh server", () => {
  const all = shells.flatMap((shell) => pages.map((page) => [page.name, shell, page] as const));
  it.each(all)("%s, in %s", async (name, shell, page) => {
    const checkout = await likeTheCheckout();
    const steps = await Promise.all(
      blocksOf(page)
        .filter(({ language }) => RUNNABLE.test(language))
        .map((block) => asCommand(block, checkout)),
    );
    const script = [started(), BEFORE[name] ?? "", ...steps].join("\n");
    const { code, stdout, stderr } = await run(script, { shell, cwd: checkout });
    expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
  });
});

it.skipIf(missing.length > 0)(
  "the program of getting started analyzes 5,000 rows of a CSV, in their order",
  async () => {
    const page = documentation.find(({ name }) => name === "docs/getting-started.md");
    const program = page && blocksOf(page).find(({ language }) => language === "python");
    if (program === undefined) throw new Error("the page has no program");
    const checkout = await likeTheCheckout();
    const rows = Array.from({ length: 5000 }, (_, id) => `${id},"I love museum ${id},\nand its ""garden""."`);
    rows[17] = "17,";
    await writeFile(path.join(checkout, "reviews.csv"), `\uFEFFid,text\r\n${rows.join("\r\n")}\r\n`);
    const fast = "export ENGINE_SENTIMENT_SIMPLE=fast ENGINE_TOPIC=fast";
    const script = [fast, started(), await asCommand(program, checkout)].join("\n");
    const { code, stdout, stderr } = await run(script, { cwd: checkout });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain("5000 rows, 1 of them without a text");
    const results = readFileSync(path.join(checkout, "results.csv"), "utf8").split("\r\n").slice(1, -1);
    const ids = rows.map((_, id) => id).filter((id) => id !== 17);
    expect(results.map((row) => Number(row.split(",", 1)[0]))).toEqual(ids);
    const sound = results.filter(
      (row, at) => /garden""\.",positive,0\.\d+,/.test(row) && row.includes(`museum ${ids[at]},`),
    );
    expect(sound).toHaveLength(results.length);
  },
);

/** Starts the server, and sets what the pages name: BASE, TOKEN and the password of the first user. */
function started(): string {
  return `trap 'kill $SERVER' EXIT
    export BOOTSTRAP_PASSWORD='choose a long one' BASE=http://127.0.0.1:${port} GRPC_PORT= OFFLINE=true RATE_LIMIT_PER_MINUTE=0
    npm start > "$DATA_DIR.log" 2>&1 & SERVER=$!
    until curl -fs -o /dev/null "$BASE/readyz"; do kill -0 $SERVER; sleep 0.2; done
    export TOKEN=$(curl -fsSi "$BASE/api/v1/users/sign_in" -H 'Content-Type: application/json' \
      -d "{\\"user\\":{\\"email\\":\\"admin@example.com\\",\\"password\\":\\"$BOOTSTRAP_PASSWORD\\"}}" \
      | tr -d '\\r' | sed -n 's/^[Aa]uthorization: Bearer //p')
    unset PORT`;
}

/** A folder with all that the checkout has, where commands may leave files. */
async function likeTheCheckout(): Promise<string> {
  const checkout = path.join(folder, "checkout");
  await mkdir(checkout);
  for (const name of await readdir(ROOT)) {
    if (name !== ".git") await symlink(path.join(ROOT, name), path.join(checkout, name));
  }
  return checkout;
}

/** A block as a command of a shell, after a line that finds it in what the shell says of a failure. */
async function asCommand({ language, text, line }: Block, checkout: string): Promise<string> {
  const said = `echo "--- line ${line}" >&2`;
  if (language === "python") {
    const file = path.join(checkout, `line-${line}.py`);
    await writeFile(file, text);
    return `${said}\npython3 '${file}'`;
  }
  if (language === "ts") {
    const file = path.join(checkout, `line-${line}.mjs`);
    await writeFile(file, (await transform(text, { loader: "ts", format: "esm" })).code);
    return `${said}\nnode '${file}'`;
  }
  return `${said}\n${text}`;
}
