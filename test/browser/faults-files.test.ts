import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { png } from "../support/png.js";
import { consoleUser, demo } from "./support/console-page.js";
import { overLine, signInAgain } from "./support/over-line.js";

const OPERATIONS = "/api/v2/products/api/operations";
const UPLOAD = `${OPERATIONS}/upload`;
const NO_ANSWER = /ERR_(EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|INTERNET_DISCONNECTED|CONNECTION_\w+)/;

describe.skipIf(demo === undefined)("an analysis of files, in the middle of which something fails,", () => {
  const user = consoleUser();
  const over = overLine(user);
  /** The statuses of the last two attempts to begin an analysis. */
  const lastAnswers = (): (number | undefined)[] =>
    over.line
      .of("POST", OPERATIONS)
      .slice(-2)
      .map(({ status }) => status);
  let pictures = 0;

  /** Files that the server has not seen. */
  const files = (names: readonly string[]) =>
    names.map((name) => ({ name, mimeType: "image/png", buffer: png({ width: 40, height: 30, seed: ++pictures }) }));
  const add = (page: Page, names: readonly string[]) =>
    page.locator("input[type=file]").first().setInputFiles(files(names));
  const ready = (page: Page, count: number, total = count) =>
    page.getByText(new RegExp(`^${count} of ${total} files? uploaded$`)).waitFor();
  const analyze = (page: Page) => page.getByRole("button", { name: /^Analyze/ });
  const opened = (page: Page) => page.waitForURL(/\/analyses\/\d+/);
  const isUpload = ({ method, path }: { method: string; path: string }) => method === "POST" && path === UPLOAD;
  const isCreation = ({ method, path }: { method: string; path: string }) => method === "POST" && path === OPERATIONS;

  it("uploads what was interrupted once more by itself or by hand, and analyzes each file once", async () => {
    user.expects(NO_ANSWER);
    const page = await over.open("/analyses/new?type=files");
    const before = over.line.of("POST", UPLOAD).length;
    let lost = 0;
    // Another attempt at this test finds only its own analysis.
    const first = `first-${pictures}.png`;
    over.line.fate = (request) => (isUpload(request) && ++lost === 2 ? "lose answer" : "pass");
    await add(page, [first, "second.png", "third.png"]);
    await ready(page, 2, 3);
    await page.getByRole("button", { name: "Try again" }).click();
    await ready(page, 3);
    const uploads = over.line.of("POST", UPLOAD).slice(before);
    expect(uploads.length).toBe(4);
    expect(new Set(uploads.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);

    // The answer to the analysis is lost, too: it is asked for again, and is the same one.
    over.line.fate = (request) => (isCreation(request) ? "lose answer" : "pass");
    await analyze(page).click();
    await page.getByText("The server did not answer").first().waitFor();
    over.line.mend();
    await page.getByRole("button", { name: "Try again" }).click();
    await opened(page);
    const [unanswered, answered] = over.line.of("POST", OPERATIONS).slice(-2);
    expect([unanswered?.status, answered?.status]).toEqual([undefined, 201]);
    expect(answered?.idempotencyKey).toBe(unanswered?.idempotencyKey);
    await page.goBack();
    await page.goto(`${over.line.url}/analyses?q=${first}`);
    await user.signIn(page);
    // The filter is a link of that name, too, and is there before the list.
    await expect.poll(() => page.getByRole("link", { name: `${first} and 2 more` }).count()).toBe(1);
  });

  it("waits with its uploads as long as the server asks", async () => {
    const page = await over.open("/analyses/new?type=files", { prepare: (one) => one.clock.install() });
    over.line.fate = (request) => (isUpload(request) ? { status: 429, headers: { "retry-after": "60" } } : "pass");
    await add(page, ["waits.png"]);
    await page.getByText(/Too many requests in a minute\. Trying again in \d+ seconds/).waitFor();
    over.line.mend();
    await page.clock.runFor(61_000);
    await ready(page, 1);
    const [first, second] = over.line.of("POST", UPLOAD).slice(-2);
    expect([first?.status, second?.status]).toEqual([429, 201]);
    expect(second?.idempotencyKey).toBe(first?.idempotencyKey);
  });

  it("asks to sign in again during an upload, and before the analysis, and loses no file", async () => {
    const page = await over.open("/analyses/new?type=files");
    over.endSession();
    await add(page, ["a.png", "b.png"]);
    await signInAgain(page, user.demo.password);
    await ready(page, 2);
    over.endSession();
    await analyze(page).click();
    await signInAgain(page, user.demo.password);
    await opened(page);
    expect(lastAnswers()).toEqual([401, 201]);
  });

  it("keeps its files without a connection, also those that another tab uploads meanwhile", async () => {
    user.expects(NO_ANSWER);
    const page = await over.open("/analyses/new?type=files");
    await add(page, ["before.png"]);
    await ready(page, 1);
    await page.context().setOffline(true);
    await add(page, ["during.png"]);
    await page.getByText("The server did not answer").first().waitFor();
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Try again" }).click();
    await ready(page, 2);
    const other = await page.context().newPage();
    await other.goto(`${over.line.url}/analyses/new?type=files`);
    await other.getByText(/Uploaded earlier and not used/).click();
    // What one tab takes is taken in the other, and nothing is analyzed twice.
    await other.getByRole("listitem").filter({ hasText: "before.png" }).getByRole("button").click();
    await ready(other, 1);
    await analyze(page).click();
    await opened(page);
    await analyze(other).click();
    await other.getByRole("alert").filter({ hasText: "contents[0]" }).waitFor();
    expect(lastAnswers()).toEqual([201, 400]);
  });

  it("is read once the connection is back, and saved as CSV", async () => {
    user.expects(NO_ANSWER);
    const page = await over.open("/analyses/new");
    await page.getByRole("textbox", { name: "Texts" }).fill("I love it.\nI hate it.");
    await analyze(page).click();
    await opened(page);
    const csv = page.getByRole("button", { name: "CSV", exact: true }).first();
    await csv.waitFor();
    over.line.cut();
    await csv.click();
    await page.getByText("The server did not answer").first().waitFor();
    await page.getByText("No connection to the server.").waitFor();
    await page.getByText("I love it.").first().waitFor();
    over.line.mend();
    // Nobody has to do anything for that.
    await page.getByText("No connection to the server.").waitFor({ state: "detached" });
    const saved = page.waitForEvent("download");
    await csv.click();
    const text = await readFile(await (await saved).path(), "utf8");
    expect(text).toContain("I hate it.");
  });
});
