import { describe, expect, it } from "vitest";
import { generatePassword } from "./generate-password.js";

describe("generatePassword", () => {
  it("has at least 128 bits and no letters that look alike", () => {
    const password = generatePassword();
    expect(password).toMatch(/^[a-hjkmnp-z2-9]{5}(-[a-hjkmnp-z2-9]{5}){5}$/);
    expect(password.replaceAll("-", "").length * Math.log2(31)).toBeGreaterThan(128);
  });

  it("does not repeat", () => {
    expect(new Set(Array.from({ length: 1000 }, generatePassword)).size).toBe(1000);
  });
});
