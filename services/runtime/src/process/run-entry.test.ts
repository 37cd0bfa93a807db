import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runEntry } from "./run-entry.js";

const HOUR_MS = 3_600_000;

describe("an entry point", () => {
  let folder: string;
  /** What ran, in order; a bundle is a separate file and finds the list here. */
  const ran: string[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "hourglass-entry-"));
    ran.length = 0;
    Object.assign(globalThis, { ranEntries: ran });
  });

  afterEach(async () => {
    Reflect.deleteProperty(globalThis, "ranEntries");
    await rm(folder, { recursive: true, force: true });
  });

  const modules = () => Promise.resolve(ran.push("modules"));
  const bundle = () => pathToFileURL(path.join(folder, "bundle/serve.js"));

  async function makeBundle(): Promise<void> {
    await mkdir(path.join(folder, "bundle"));
    await writeFile(bundle(), 'globalThis.ranEntries.push("bundle");');
  }

  /** What the compiler leaves when it has built the modules, or another part that they use, at that time. */
  async function compile(at: Date): Promise<void> {
    await writeFile(path.join(folder, ".tsbuildinfo"), "");
    await utimes(path.join(folder, ".tsbuildinfo"), at, at);
  }

  it("runs its bundle", async () => {
    await compile(new Date(Date.now() - HOUR_MS));
    await makeBundle();
    await runEntry(bundle(), modules);
    expect(ran).toEqual(["bundle"]);
  });

  it("runs its bundle in an image, which the compiler's file is left out of", async () => {
    await makeBundle();
    await runEntry(bundle(), modules);
    expect(ran).toEqual(["bundle"]);
  });

  it("runs its modules if they were compiled after the bundle was made", async () => {
    await makeBundle();
    await compile(new Date(Date.now() + HOUR_MS));
    await runEntry(bundle(), modules);
    expect(ran).toEqual(["modules"]);
  });

  it("runs its modules if there is no bundle", async () => {
    await runEntry(bundle(), modules);
    expect(ran).toEqual(["modules"]);
  });
});
