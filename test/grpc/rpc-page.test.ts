import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PASSWORD, startServer, type TestServer } from "../support/server.js";

const PAGE = readFileSync(new URL("../../docs/rpc.md", import.meta.url), "utf8");
const run = promisify(execFile);

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

it("runs the commands that the page on RPC clients shows for curl, from sign-in to result", async () => {
  const [, commands = ""] = /## curl\n\n```bash\n([^`]*)```/.exec(PAGE) ?? [];
  const env = { PATH: process.env["PATH"] ?? "", BASE: server.url, BOOTSTRAP_PASSWORD: PASSWORD };
  const { stdout } = await run("bash", ["-euc", commands], { env });
  const { operation } = JSON.parse(stdout) as { operation: { status: string; data: { contents: unknown[] } } };
  expect(operation.status).toBe("OPERATION_STATUS_DONE");
  expect(operation.data.contents).toHaveLength(1);
});

it("answers an error as the page on RPC clients shows it", async () => {
  const [, example = ""] = /```json\n([^`]*)```/.exec(PAGE) ?? [];
  const shown = JSON.parse(example) as { code: string; message: string };
  const authorization = await server.signIn();
  const path = "/hourglass.operation.v1.OperationService/GetOperation";
  const answer = await server.send("POST", path, { authorization, body: { id: "0" } });
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ code: shown.code, message: shown.message });
  const { details } = answer.body as { details: { type: string; debug: { fieldViolations?: { field: string }[] } }[] };
  expect(details.find(({ type }) => type === "google.rpc.BadRequest")?.debug.fieldViolations?.[0]?.field).toBe("id");
});
