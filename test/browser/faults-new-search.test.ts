import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { consoleUser, demo } from "./support/console-page.js";
import type { Passed } from "./support/line.js";
import { overLine, signInAgain } from "./support/over-line.js";
import { deletesNewInsights } from "./support/tidy.js";

const INSIGHTS = "/api/v2/products/insight";
const WORDS = "kestrel OR merlin";
const NO_ANSWER = /ERR_(EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|INTERNET_DISCONNECTED|CONNECTION_\w+)/;

describe.skipIf(demo === undefined)("a new search, in the middle of which something fails,", () => {
  const user = consoleUser();
  const over = overLine(user);
  deletesNewInsights(user.demo);

  const query = (page: Page) => page.getByRole("textbox", { name: "Words to look for" });
  const start = (page: Page) => page.getByRole("button", { name: "Start collecting" });
  const started = (page: Page) => page.waitForURL(/\/insights\/\d+\/postings$/);

  /** A form that is filled in, under a name that no other test gives. */
  async function filled(name: string, path = "/insights/new"): Promise<Page> {
    const page = await over.open(path);
    await query(page).fill(WORDS);
    await page.getByLabel(/^Name/).fill(name);
    await page.getByText("2 terms").or(page.getByText("1 term")).first().waitFor();
    return page;
  }

  async function expectFilled(page: Page, name: string): Promise<void> {
    expect(await query(page).inputValue()).toBe(WORDS);
    expect(await page.getByLabel(/^Name/).inputValue()).toBe(name);
  }

  /** How often an insight of this name was created. */
  async function countOf(page: Page, name: string): Promise<number> {
    await page.goto(`${user.demo.url}/sign-in?next=${encodeURIComponent(`/insights?q=${name.replaceAll(" ", "+")}`)}`);
    await user.signIn(page);
    await page.getByRole("row").nth(1).waitFor();
    return page.getByRole("link", { name, exact: true }).count();
  }

  it("is created once when the answer is lost, with what was typed still there", async () => {
    user.expects(NO_ANSWER);
    const page = await filled("lost answer");
    const before = over.line.of("POST", INSIGHTS).length;
    over.line.fate = ({ method, path }) => (method === "POST" && path === INSIGHTS ? "lose answer" : "pass");
    await start(page).click();
    await page.getByText("The server did not answer").first().waitFor();
    await expectFilled(page, "lost answer");
    over.line.mend();
    await start(page).click();
    await started(page);
    const sent = over.line.of("POST", INSIGHTS).slice(before);
    expect(sent.map(({ status }) => status)).toEqual([undefined, 200]);
    expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(await countOf(page, "lost answer")).toBe(1);
  });

  it("waits a minute if it has to, counts down, and is created once by itself", async () => {
    const page = await over.open("/insights/new", { prepare: (one) => one.clock.install() });
    await query(page).fill(WORDS);
    await page.getByLabel(/^Name/).fill("too many requests");
    await page.getByText("1 term").first().waitFor();
    const before = over.line.of("POST", INSIGHTS).length;
    over.line.fate = ({ method, path }) =>
      method === "POST" && path === INSIGHTS ? { status: 429, headers: { "retry-after": "60" } } : "pass";
    await start(page).click();
    await page.getByText(/Too many requests in a minute\. Trying again in \d+ seconds/).waitFor();
    over.line.mend();
    await page.clock.runFor(30_000);
    await page.getByText(/Trying again in (2\d|30) seconds/).waitFor();
    expect(over.line.of("POST", INSIGHTS).length).toBe(before + 1);
    await expectFilled(page, "too many requests");
    await page.clock.runFor(31_000);
    await started(page);
    const [first, second, ...more] = over.line.of("POST", INSIGHTS).slice(before);
    expect([first?.status, second?.status, more.length]).toEqual([429, 200, 0]);
    expect(second?.idempotencyKey).toBe(first?.idempotencyKey);
    await page.getByText(/Trying again/).waitFor({ state: "detached" });
  });

  it("is created once by a double click while the server is slow", async () => {
    const page = await filled("double click");
    const before = over.line.of("POST", INSIGHTS).length;
    let goOn = (): void => undefined;
    const slow = new Promise<void>((resolve) => (goOn = resolve));
    over.line.fate = ({ method, path }) => (method === "POST" && path === INSIGHTS ? slow : "pass");
    await start(page).dblclick();
    await expect.poll(() => over.line.of("POST", INSIGHTS).length).toBe(before + 1);
    await start(page).click({ force: true });
    goOn();
    await started(page);
    expect(over.line.of("POST", INSIGHTS).length).toBe(before + 1);
  });

  it("asks to sign in again, and is created with what was typed", async () => {
    const page = await filled("session ended");
    const before = over.line.of("POST", INSIGHTS).length;
    over.endSession();
    await start(page).click();
    await signInAgain(page, user.demo.password);
    await started(page);
    const sent = over.line.of("POST", INSIGHTS).slice(before);
    expect(sent.map(({ status }) => status)).toEqual([401, 200]);
  });

  it("keeps what was typed without a connection, and works as soon as there is one", async () => {
    user.expects(NO_ANSWER);
    const page = await filled("offline");
    await page.context().setOffline(true);
    await start(page).click();
    await page.getByText("The server did not answer").first().waitFor();
    await page.getByText("No connection to the server.").waitFor();
    await query(page).fill(`${WORDS} -bike`);
    await page.context().setOffline(false);
    await page.getByText("No connection to the server.").waitFor({ state: "detached" });
    await start(page).click();
    await started(page);
    await page.goBack();
    expect(await countOf(page, "offline")).toBe(1);
  });

  it("is not lost when its user signs out in another tab", async () => {
    const page = await filled("other tab");
    const other = await page.context().newPage();
    await other.goto(`${over.line.url}/settings/account`);
    await other.getByRole("button", { name: "Sign out" }).click();
    await other.waitForURL(/\/sign-in/);
    await page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
    // A sign-in in one tab is one in all.
    await user.signIn(other);
    await page.getByRole("dialog", { name: "Your session has ended" }).waitFor({ state: "detached" });
    await expectFilled(page, "other tab");
    await start(page).click();
    await started(page);
  });

  it("keeps what was typed when its preview is used up in another tab", async () => {
    const page = await over.open("/insights/new?words=kestrel");
    await page.getByRole("button", { name: "Look first" }).click();
    await page.waitForURL(/[?&]preview=\d+/);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await expect.poll(() => query(other).inputValue()).toBe("kestrel");
    await query(other).fill("kestrel -case");
    await start(page).click();
    await started(page);
    await other.getByRole("button", { name: "Look again" }).click();
    await other.waitForURL((url) => url.searchParams.get("words") === "kestrel -case");
    await other.reload();
    await expect.poll(() => query(other).inputValue()).toBe("kestrel -case");
  });

  describe("its preview", () => {
    const row = (page: Page, words: string) =>
      page.getByRole("row").filter({ has: page.getByRole("link", { name: words, exact: true }) });

    async function leftAfterALook(words: string): Promise<Page> {
      const page = await over.open(`/insights/new?words=${words}`);
      await page.getByRole("button", { name: "Look first" }).click();
      await page.waitForURL(/[?&]preview=\d+/);
      await page.getByRole("link", { name: "Insights", exact: true }).click();
      await page.getByText("The preview is deleted.").waitFor();
      return page;
    }

    it("is deleted with the form that is left, unless it is wanted", async () => {
      const page = await leftAfterALook("snowyowl");
      await page.getByRole("row").nth(1).waitFor();
      expect(await row(page, "snowyowl").count()).toBe(0);
      await page.getByRole("button", { name: "Undo" }).click();
      await row(page, "snowyowl")
        .getByText(/^preview, (running|completed)$/)
        .waitFor();
    });

    it("is there again for who goes back to the form at once", async () => {
      const page = await leftAfterALook("heron");
      await page.goBack();
      await expect.poll(() => query(page).inputValue()).toBe("heron");
      await page.getByText("The preview is deleted.").waitFor({ state: "detached" });
      await page.getByRole("heading", { name: "What it finds" }).waitFor();
    });

    it("is deleted when the page is closed", async () => {
      const page = await leftAfterALook("falcon");
      await page.goto("about:blank");
      const isDeletion = ({ method, path }: Passed) => method === "DELETE" && path.startsWith(INSIGHTS);
      await expect.poll(() => over.line.passed.filter(isDeletion).at(-1)?.status).toBe(204);
    });
  });
});
