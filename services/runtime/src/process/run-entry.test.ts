import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
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
  const bundle = () => pathToFileURL(path.join(folder, "serve.js"));

  /** A bundle that was made now of one input, which changed at that time. */
  async function makeBundle(inputChangedAt: Date): Promise<void> {
    await writeFile(path.join(folder, "input"), "");
    await utimes(path.join(folder, "input"), inputChangedAt, inputChangedAt);
    await writeFile(path.join(folder, "serve.js"), 'globalThis.ranEntries.push("bundle");');
    await writeFile(path.join(folder, "serve.js.inputs.json"), JSON.stringify(["input", "left-out-of-the-image"]));
  }

  it("runs its bundle", async () => {
    await makeBundle(new Date(Date.now() - HOUR_MS));
    await runEntry(bundle(), modules);
    expect(ran).toEqual(["bundle"]);
  });

  it("runs its modules if they have changed since the bundle was made", async () => {
    await makeBundle(new Date(Date.now() + HOUR_MS));
    await runEntry(bundle(), modules);
    expect(ran).toEqual(["modules"]);
  });

  it("runs its modules if there is no bundle", async () => {
    await runEntry(bundle(), modules);
    expect(ran).toEqual(["modules"]);
  });
});
