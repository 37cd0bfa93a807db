import { expect, it, vi } from "vitest";
import { freePort } from "./free-port.js";

it("gives no port that another process has chosen and does not listen on yet", async () => {
  const port = await freePort();
  // Loaded again, it begins where it began before, as in another process whose search starts at the same port.
  vi.resetModules();
  const other = await import("./free-port.js");
  expect(await other.freePort()).not.toBe(port);
});
