import { describe, expect, it } from "vitest";
import { consoleUser, demo } from "./support/console-page.js";

const file = (name: string, lines: readonly string[]) => ({
  name,
  mimeType: "text/csv",
  buffer: Buffer.from(`${lines.join("\n")}\n`),
});

describe.skipIf(demo === undefined)("an import", () => {
  const user = consoleUser();

  it("is tried first, says what it did with the file, and asks for what only its user knows", async () => {
    const page = await user.open("/insights/1/collection");
    const form = page.getByRole("form", { name: "Import postings" });
    const send = (name: string) => form.getByRole("button", { name, exact: true }).click();
    const choose = (...given: Parameters<typeof file>) =>
      form.locator("input[type=file]").setInputFiles(file(...given));
    const rows = ["reddit,one,03/04/2026 10:00,A kestrel over the field.,good", "reddit,two,04/04/2026 11:00,,bad"];
    await choose("of them.csv", ["platform,social_id,posted_at,text_of_post,mood", ...rows]);
    await form.getByText(/^of them\.csv, \d+ bytes$/).waitFor();
    await send("Try it");
    await page.getByText("If it is 3 April 2026, state date_format=d/m/yyyy.").waitFor();
    await form.getByLabel("How the file writes its times").selectOption("d/m/yyyy");
    await send("Try it");
    await page.getByText("1 posting would be stored, 1 row is left out.").waitFor();
    expect(await page.getByRole("list", { name: "What was done with the file" }).textContent()).toContain("mood");
    expect(await page.getByRole("list", { name: "Rows that are left out" }).textContent()).toContain("Row 3");
    await send("Import");
    await page.getByText("1 posting was stored, 1 row is left out.").waitFor();
    await send("Try it");
    await page.getByText("0 postings would be stored, 1 is known already, 1 row is left out.").waitFor();
  });
});
