import { readFile } from "node:fs/promises";
import path from "node:path";
import { transform } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { blocksOf, ROOT } from "../docs/pages.js";
import { install, type Installation } from "../support/packages.js";
import { EMAIL, PASSWORD, startServer, type TestServer } from "../support/server.js";

/** The package and what it needs, which lies in the repository already. */
const PACKAGES = ["gateway/client", "node_modules/openapi-fetch", "node_modules/openapi-typescript-helpers"];

const USE = `
import { Hourglass, HourglassError } from "@hourglass/client";

const [baseUrl, email, password] = process.argv.slice(2);
const hourglass = new Hourglass({ baseUrl });
const user = await hourglass.signIn(email, password);
const operation = await hourglass.analyze({ type: "text", analyses: ["sentiment-simple"], contents: ["I love it."] });
const listed = [];
for await (const { id } of hourglass.operations({ limit: 1 })) listed.push(id);
const failure = await hourglass.waitForOperation(999).catch((error) => error);
console.log(JSON.stringify({
  email: user.email,
  status: operation.status,
  listed,
  failure: [failure instanceof HourglassError, failure.status, failure.code, failure.requestId !== undefined],
}));
`;

let server: TestServer;
let installation: Installation;

beforeAll(async () => {
  [server, installation] = await Promise.all([startServer(), install(...PACKAGES)]);
});
afterAll(() => Promise.all([server.close(), installation.remove()]));

it("is packed so that it can be installed anywhere, and used", async () => {
  const printed = await installation.run(USE, server.url, EMAIL, PASSWORD);
  expect(JSON.parse(printed)).toEqual({
    email: EMAIL,
    status: "done",
    listed: [1],
    failure: [true, 404, "operation_not_found", true],
  });
});

it("brings its license, and a README whose program runs", async () => {
  const read = (...file: string[]) => readFile(path.join(...file), "utf8");
  const packed = path.join(installation.folder, "node_modules/@hourglass/client");
  expect(await read(packed, "LICENSE")).toBe(await read(ROOT, "LICENSE"));
  const [program] = blocksOf({ name: "README.md", text: await read(packed, "README.md") });
  const { code } = await transform(program?.text ?? "", { loader: "ts", format: "esm" });
  const token = (await server.signIn()).replace("Bearer ", "");
  const settings = `Object.assign(process.env, ${JSON.stringify({ BASE: server.url, TOKEN: token })});`;
  const printed = await installation.run(`${settings}\n${code}`);
  expect(printed.split("\n")).toEqual([
    "I love it. It works as promised. positive",
    "It broke after a day. negative",
    "The box is blue. neutral",
    "0 postings",
    expect.stringContaining("invalid_request [ { field: 'start_date'"),
    "",
  ]);
});
