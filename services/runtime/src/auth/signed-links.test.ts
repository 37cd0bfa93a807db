import { beforeEach, describe, expect, it } from "vitest";
import { SignedLinks } from "./signed-links.js";

const KEY = Buffer.alloc(32, 1).toString("base64url");
const keyOf = (key: string) => ({ read: () => Promise.resolve(key) });

let time: number;
const links = (purpose = "file-link", key = KEY) => new SignedLinks({ key: keyOf(key), purpose, now: () => time });
beforeEach(() => (time = Date.parse("2026-01-31T12:00:00.900Z")));

describe("a signed link", () => {
  it("carries its numbers to every process with the key, for five minutes", async () => {
    const { token, expiresAt } = await links().issue([5, 1]);
    expect(token).toMatch(/^[A-Za-z0-9_.-]+$/);
    expect(new Date(expiresAt).toISOString()).toBe("2026-01-31T12:05:00.000Z");
    expect(await links().read(token)).toEqual([5, 1]);
    time = expiresAt - 1;
    expect(await links().read(token)).toEqual([5, 1]);
    time = expiresAt;
    expect(await links().read(token)).toBeUndefined();
  });

  it("is none when it was changed, or is for another purpose, or of another key", async () => {
    const { token } = await links().issue([5, 1]);
    const [payload = "", signature = ""] = token.split(".");
    const later = payload.replace(/\d+$/, (seconds) => String(Number(seconds) + 60));
    const forged = ["", "x", payload, `6${token.slice(1)}`, `${later}.${signature}`, `${payload}.${"A".repeat(43)}`];
    for (const each of [...forged, `${token}A`, ` ${token}`]) expect(await links().read(each), each).toBeUndefined();
    expect(await links("export-link").read(token)).toBeUndefined();
    expect(await links("file-link", Buffer.alloc(32, 2).toString("base64url")).read(token)).toBeUndefined();
  });
});
