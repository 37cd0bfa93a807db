import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { freePort } from "./free-port.js";

const HOLDER = fileURLToPath(new URL("hold-port.mjs", import.meta.url));

it("gives no port that another process has chosen and does not listen on yet", async () => {
  const port = await freePort();
  const other = fork(HOLDER, [String(port + 1)]);
  try {
    await once(other, "message");
    expect(await freePort()).not.toBe(port + 1);
  } finally {
    other.kill();
  }
});
