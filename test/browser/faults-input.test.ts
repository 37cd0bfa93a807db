import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { consoleUser, demo } from "./support/console-page.js";
import { overLine } from "./support/over-line.js";
import { png } from "../support/png.js";

describe.skipIf(demo === undefined)("bad input", () => {
  const user = consoleUser();
  const over = overLine(user);

  const analyze = (page: Page) => page.getByRole("button", { name: /^Analyze/ });
  const lines = (count: number): string => Array.from({ length: count }, (_, index) => `text ${index + 1}`).join("\n");

  it("of 1,001 texts is announced, and analyzed in parts that leave none out", async () => {
    const page = await user.open("/analyses/new");
    await page.getByRole("textbox", { name: "Texts" }).fill(lines(1_001));
    await page.getByText("1,001 texts; one analysis takes at most 1,000.").waitFor();
    expect(await analyze(page).getAttribute("aria-disabled")).toBe("true");
    await page.getByLabel("Which of them").selectOption({ label: "1 to 1,000" });
    await page.getByText("1,000 of 1,001 texts are analyzed, 1 left out").waitFor();
    await page.getByLabel("Which of them").selectOption({ label: "only 1,001" });
    await page.getByText("1 of 1,001 texts are analyzed, 1,000 left out").waitFor();
    await analyze(page).click();
    await page.waitForURL(/\/analyses\/\d+/);
    await page.getByText("text 1001").first().waitFor();
  });

  it("of 5 MB that are pasted is read without the page standing still", async () => {
    const page = await user.open("/analyses/new");
    const field = page.getByRole("textbox", { name: "Texts" });
    await field.evaluate(
      (element, text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", text);
        element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      },
      `${"a long line of a text ".repeat(50)}\n`.repeat(5_000),
    );
    await page.getByText("too many to edit them here").waitFor();
    await page.getByText("5,000 texts; one analysis takes at most 1,000.").waitFor();
    await page.getByRole("button", { name: "Remove" }).click();
    await field.waitFor();
  });

  it("of 200 files at once, of wrong kinds, empty or too large, is refused before it is sent, each with its reason", async () => {
    const page = await over.open("/analyses/new?type=files");
    const before = over.line.passed.length;
    const tooManyPixels = png();
    tooManyPixels.writeUInt32BE(9_000, 16);
    tooManyPixels.writeUInt32BE(9_000, 20);
    const others = {
      "empty.png": "",
      "text.png": "not a picture at all",
      "scan.webp": "RIFF....WEBPVP8 ",
      "pixels.png": tooManyPixels,
      "large.png": png(),
    };
    const gifs = Array.from({ length: 195 }, (_, number) => [`${number}.gif`, "GIF89a"] as const);
    const folder = await mkdtemp(path.join(tmpdir(), "hourglass-files-"));
    try {
      for (const [name, content] of [...gifs, ...Object.entries(others)]) {
        await writeFile(path.join(folder, name), content);
      }
      await truncate(path.join(folder, "large.png"), 100 * 1024 * 1024 + 1);
      const names = [...gifs.map(([name]) => name), ...Object.keys(others)];
      await page
        .locator("input[type=file]")
        .first()
        .setInputFiles(names.map((name) => path.join(folder, name)));
      await page.getByText("200 refused").first().waitFor();
    } finally {
      await rm(folder, { recursive: true });
    }
    for (const reason of [
      /GIF is taken only by address/,
      /It is empty/,
      /It is no picture/,
      /at most 105 MB|at most 100 MB/,
      /WebP/,
      /81 megapixels/,
    ]) {
      await page.getByText(reason).first().waitFor();
    }
    expect(over.line.passed.slice(before).filter(({ method }) => method === "POST")).toEqual([]);
    await page.getByRole("button", { name: "Take out 200 refused" }).click();
    await page.getByText("200 refused").waitFor({ state: "detached" });
  });

  it("with mistakes in a query names each at its place", async () => {
    const page = await user.open("/insights/new");
    const query = page.getByRole("textbox", { name: "Words to look for" });
    for (const [words, said] of [
      ['"kestrel', /A quote opens/],
      ['kestrel ""', /no word between the quotes/],
      ["(kestrel", /A parenthesis opens/],
      ["kestrel)", /A parenthesis closes/],
      ["-kestrel", /only exclusions/],
      ["kestrel - merlin", /excludes nothing/],
      ["kestrel,,merlin", /A word is missing/],
      ["#", /no name after #/],
      ["@", /no name after @/],
      [Array.from({ length: 11 }, (_, index) => `word${index}`).join(", "), /more than 10 terms/],
      ["a".repeat(501), /at most 500 characters/],
    ] as const) {
      await query.fill(words);
      await page.locator("[role=status]").filter({ hasText: said }).first().waitFor();
      expect(await query.getAttribute("aria-invalid"), words).toBe("true");
      expect(await page.getByRole("button", { name: "Start collecting" }).getAttribute("aria-disabled")).toBe("true");
    }
  });

  it("in an address leads to words, never to an empty or broken page", async () => {
    const page = await user.open("/");
    const go = async (address: string, said: RegExp): Promise<void> => {
      await page.goto(`${user.demo.url}/sign-in?next=${encodeURIComponent(address)}`);
      await user.signIn(page);
      await page.locator("main").getByText(said).first().waitFor();
    };
    for (const id of ["abc", "-1", "0", "1e3", "99999999999999999999"]) await go(`/insights/${id}`, /no such page/i);
    await go("/insights/987654", /deleted, or it belongs to another company/);
    await go("/analyses/987654", /deleted, or it belongs to another company/);
    await go("/analyses/-1", /no such page/i);
    await go("/insights/1/postings?posting=%00&platform=%00&from=yesterday", /not known|Postings/);
    await go("/insights/1?from=9999-99-99&to=0000-00-00&interval=eon&spam=maybe&sort=luck", /eon/);
    await go("/insights/1?from=2026-12-31&to=2026-01-01", /%|Nothing|postings/);
    await go("/analyses?status=lost&type=scroll", /lost \(not known\)/);
  });

  it.each([
    [
      "a page of a proxy",
      { status: 200, headers: { "content-type": "text/html" }, body: "<h1>Sign in to the Wi-Fi</h1>" },
    ],
    ["nothing", { status: 200, body: "" }],
    ["half an answer", { status: 200, body: '{"id": 1, "name": ' }],
    [
      "a failure without words",
      { status: 502, headers: { "content-type": "text/html" }, body: "<h1>Bad Gateway</h1>" },
    ],
  ])("is shown as a failure in its place where the server answers with %s", async (_, answer) => {
    user.expects(/status of 502/);
    const page = await over.open("/insights/1/collection");
    over.line.fate = ({ path: asked }) => (asked === "/api/v2/products/insight/1/summary" ? answer : "pass");
    await page.getByRole("link", { name: "Overview" }).click();
    await page
      .getByRole("alert")
      .filter({ has: page.getByRole("button", { name: "Try again" }) })
      .first()
      .waitFor();
    over.line.mend();
    await page.getByRole("button", { name: "Try again" }).first().click();
    await page
      .getByText(/% negative/)
      .first()
      .waitFor();
  });
});
