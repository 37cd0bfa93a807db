import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { startServer } from "../support/server.js";
import { done, failed, runAdmin, type Outcome } from "./admin-command.js";
import { tracesOf } from "./erase/traces.js";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "hourglass-storage-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const admin = (...args: string[]): Promise<Outcome> => runAdmin({ DATA_DIR: dataDir }, args);

it("says what takes the space, of all and of one company", async () => {
  await admin("company", "create", "--name", "Acme");
  await admin("company", "create", "--name", "Bolt");
  await admin("user", "create", "--email", "ann@example.com", "--company", "Acme");
  expect(await admin("usage")).toEqual(
    done(
      /^(.*\n)*records\tcompanies\t2\t\d+\n(.*\n)*records\tusers\t1\t\d+\n(.*\n)*database\ttotal\t\t\d+\n(.*\n)*disk\tfree\t/,
    ),
  );
  expect(await admin("usage", "--company", "Acme")).toEqual(
    done(/^records\taudit_events\t1\t\d+\nrecords\tusers\t1\t\d+\n$/),
  );
  expect(JSON.parse((await admin("usage", "--company", "Bolt", "--json")).stdout)).toEqual({ records: [], files: [] });
  expect(await admin("usage", "--company", "Corp")).toEqual(failed(/^There is no company named "Corp"\./));
});

it("compacts the database, unless a server uses it", async () => {
  expect(await admin("compact")).toEqual(failed(/^There is no database in /));
  await admin("company", "create", "--name", "Acme");
  expect(await admin("compact")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Compacted .*\nbefore\t\d+ bytes\nafter\t\d+ bytes\n$/) as string,
  });
  expect(await admin("company", "list")).toEqual(done(/^1\tAcme\t/));
  const server = await startServer({ DATA_DIR: dataDir });
  onTestFinished(() => server.close());
  expect(await admin("compact")).toMatchObject({ code: 1, stderr: expect.stringMatching(/stop the server/) as string });
});

it("erases a user, of whom nothing is left in the data folder", async () => {
  await admin("company", "create", "--name", "Acme");
  for (const name of ["ann", "bob"]) {
    await admin(
      "user",
      "create",
      "--email",
      `${name}@example.com`,
      "--company",
      "Acme",
      "--last-name",
      `${name}quokka`,
    );
  }
  expect(await admin("user", "delete", "--yes", "--email", "ann@example.com")).toEqual(
    done(/^Deleted user ann@example.com\n$/),
  );
  expect(await tracesOf(["ann@example.com", "annquokka"], dataDir)).toEqual([]);
  expect(await tracesOf(["bobquokka"], dataDir)).not.toEqual([]);
});
