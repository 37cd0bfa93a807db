import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { png } from "../support/png.js";
import { analyzedMany } from "./support/analyses.js";
import { consoleUser, demo } from "./support/console-page.js";

describe.skipIf(demo === undefined)("an analysis", () => {
  const user = consoleUser();

  it("of 40 pictures refuses what is none before it is sent, sends again what was interrupted, and is read by keys", async () => {
    const page = await user.open("/analyses/new?type=files");
    user.expects(/ERR_CONNECTION_RESET/);
    await page.route("**/upload", (route) => route.abort("connectionreset"), { times: 1 });
    const pictures = Array.from({ length: 38 }, (_, number) => ({
      name: `picture ${number}.png`,
      mimeType: "image/png",
      buffer: png({ width: 40 + number, height: 30 }),
    }));
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles([
        ...pictures,
        { name: "empty.png", mimeType: "image/png", buffer: Buffer.alloc(0) },
        { name: "letter.doc", mimeType: "application/msword", buffer: Buffer.from("not a picture") },
      ]);
    await page.getByText("letter.doc").first().waitFor();
    await page.getByText("37 of 40 files uploaded").waitFor();
    await page
      .getByRole("listitem")
      .filter({ hasText: "did not answer" })
      .getByRole("button", { name: "Try again" })
      .click();
    await page.getByText("38 of 40 files uploaded").waitFor();
    await page.getByRole("button", { name: /^Analyze/ }).click();
    await page.waitForURL(/\/analyses\/\d+/);
    await page.getByText("picture 7.png").first().waitFor();
    await page.keyboard.press("j");
    await page.waitForURL(/[?&]content=2/);
    await page.keyboard.press("End");
    await page.waitForURL(/[?&]content=38/);
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "CSV", exact: true }).first().click();
    const rows = (await readFile(await (await saved).path(), "utf8")).split("\r\n").filter(Boolean);
    expect(new Set(rows.slice(1).map((row) => row.split(",")[0])).size).toBe(38);
  });

  it("of many texts shows each of them, and is made again with all of them", async () => {
    const page = await user.open(await analyzedMany(user.demo));
    await page.getByText("I love museum 0.").first().waitFor();
    await page.keyboard.press("End");
    await page.waitForURL(/[?&]content=60/);
    await page.getByText("I love museum 59.").first().waitFor();
    await page.getByRole("link", { name: "Analyze again" }).first().click();
    await page.getByRole("button", { name: /^Analyze 60 texts/ }).waitFor();
  });

  it("whose text and name are hostile shows them as they are", async () => {
    const hostile = '<img src=x onerror="alert(1)"> javascript:alert(1) \u202Egnirts <script>alert(1)</script>';
    const page = await user.open("/analyses/new");
    page.on("dialog", () => expect.fail("a text was run"));
    await page.getByRole("textbox", { name: /text/i }).first().fill(hostile);
    await page.getByRole("button", { name: /^Analyze/ }).click();
    await page.waitForURL(/\/analyses\/\d+/);
    await expect.poll(() => page.locator("main").textContent()).toContain("<script>alert(1)</script>");
    expect(await page.locator("main img, main script").count()).toBe(0);
  });
});
