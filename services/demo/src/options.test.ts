import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DemoError, readOptions } from "./options.js";
import { openDataFolder } from "./product.js";

describe("the arguments of the demo", () => {
  it("have defaults", () => {
    expect(readOptions([])).toEqual({ port: 8080, dataDir: undefined, postings: 480, perMinute: 30 });
    expect(readOptions(["--port", "0", "--postings=100"])).toMatchObject({ port: 0, postings: 100 });
    expect(readOptions(["--help"])).toBeUndefined();
  });

  it("take PORT where no port is given", () => {
    expect(readOptions([], { PORT: "8123" })).toMatchObject({ port: 8123 });
    expect(readOptions(["--port", "8124"], { PORT: "8123" })).toMatchObject({ port: 8124 });
    expect(readOptions([], { PORT: "" })).toMatchObject({ port: 8080 });
    expect(() => readOptions([], { PORT: "many" })).toThrow("PORT is a whole number from 0 to 65535");
  });

  it.each([[["--port", "70000"]], [["--postings", "1"]], [["--per-minute", "x"]], [["--speed", "9"]], [["now"]]])(
    "are refused with the usage: %j",
    (args) => {
      expect(() => readOptions(args)).toThrow(DemoError);
      expect(() => readOptions(args)).toThrow("npm run demo --");
    },
  );
});

describe("the data folder of the demo", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "hourglass-demo-folder-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("is temporary unless it is named, and then kept", async () => {
    const temporary = await openDataFolder(undefined);
    await temporary.end();
    await expect(stat(temporary.path)).rejects.toThrow();
    const named = await openDataFolder(path.join(folder, "new"));
    await named.end();
    expect(await readdir(folder)).toEqual(["new"]);
  });

  it("is never one that holds something", async () => {
    await writeFile(path.join(folder, "hourglass.db"), "");
    await expect(openDataFolder(folder)).rejects.toThrow("is not empty");
    expect(await readdir(folder)).toEqual(["hourglass.db"]);
  });
});
