import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

it("the types of the client are those of the OpenAPI document: npm run generate:client makes them", async () => {
  const check = promisify(execFile)(process.execPath, ["gateway/client/generate.mjs", "--check"], { cwd: ROOT });
  await expect(check).resolves.toMatchObject({ stdout: "" });
});
