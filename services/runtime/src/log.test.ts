import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { createLogger } from "./log.js";

function logged(write: (log: ReturnType<typeof createLogger>) => void): string {
  const stream = new PassThrough();
  write(createLogger("info", stream));
  return String(stream.read());
}

it("writes one JSON object a line, with the level as a word", () => {
  const line = logged((log) => {
    log.info({ id: 7 }, "stored");
  });
  expect(JSON.parse(line)).toMatchObject({ level: "info", id: 7, msg: "stored" });
});

it.each(["authorization", "password", "token", "secret", "email"])("cuts out %s wherever it stands", (field) => {
  const line = logged((log) => {
    log.info({ [field]: "s3cr3t", user: { [field]: "s3cr3t" }, request: { headers: { [field]: "s3cr3t" } } }, "x");
  });
  expect(line).not.toContain("s3cr3t");
});
