import { describe, expect, it } from "vitest";
import { consoleUser, demo } from "./support/console-page.js";

describe.skipIf(demo === undefined)("the frame of the console", () => {
  const user = consoleUser();
  const url = (path: string): string => user.demo.url + path;

  it("asks who one is, and leads to the address that was opened", async () => {
    const page = await (await user.window()).newPage();
    await page.goto(url("/settings/models#topic"));
    await page.waitForURL(/\/sign-in\?next=/);
    await page.getByLabel("E-mail").fill(user.demo.email);
    await page.getByLabel("Password").fill("wrong");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => page.getByRole("alert").allTextContents())
      .toContain("The e-mail or the password is wrong.");
    await user.signIn(page);
    await page.waitForURL(/\/settings\/models#topic/);
    await page.locator("#topic[open]").waitFor();
    await page.getByRole("heading", { name: "Settings" }).waitFor();
  });

  it("never leads to another site", async () => {
    for (const next of ["https://example.com/", "//example.com", "javascript:alert(1)", "/\\example.com"]) {
      const page = await (await user.window()).newPage();
      await page.goto(url(`/sign-in?next=${encodeURIComponent(next)}`));
      await user.signIn(page);
      await page.getByRole("heading", { name: "Home" }).waitFor();
      expect(new URL(page.url()).origin).toBe(user.demo.url);
    }
  });

  it("keeps the token out of addresses and, unless asked, out of the browser's storage", async () => {
    const page = await user.open("/settings/account");
    const kept = await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]);
    expect(kept).toEqual([0, 0, ""]);
    await page.reload();
    await page.waitForURL(/\/sign-in/);
  });

  it("stays signed in after a reload if asked", async () => {
    const page = await (await user.window()).newPage();
    await page.goto(url("/sign-in"));
    await page.getByLabel("Keep me signed in in this tab").check();
    await user.signIn(page);
    await page.getByRole("heading", { name: "Home" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Home" }).waitFor();
  });

  it("signs in and out in all tabs", async () => {
    const context = await user.window();
    const [first, second] = [await context.newPage(), await context.newPage()];
    await first.goto(url("/sign-in"));
    await user.signIn(first);
    await first.getByRole("heading", { name: "Home" }).waitFor();
    await second.goto(url("/exports"));
    await second.getByRole("heading", { name: "Exports", exact: true }).waitFor();
    await first.goto(url("/settings/account"));
    await first.getByRole("button", { name: "Sign out" }).click();
    await second.waitForURL(/\/sign-in/);
  });

  it("asks to sign in over the page when the session ends, and loses nothing that was typed", async () => {
    const page = await user.open("/settings/keys");
    await page.getByRole("button", { name: "Make a key" }).first().click();
    await page.getByLabel("What it is for").fill("typed before the end");
    await page.evaluate(endSession);
    await page.getByRole("dialog").getByRole("button", { name: "Make a key" }).click();
    await page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
    await page.getByLabel("Password").fill(user.demo.password);
    await page.keyboard.press("Enter");
    // The request that was refused is sent again.
    await page.getByRole("dialog", { name: "Copy the key now" }).waitFor();
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("rowheader", { name: "typed before the end" }).waitFor();
  });

  it("goes everywhere by keys, and says which there are", async () => {
    const page = await user.open("/");
    await page.keyboard.press("g");
    await page.keyboard.press("e");
    await page.getByRole("heading", { name: "Exports", exact: true }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys of this screen" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("sett");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/settings\/account/);
  });

  it("says that there is no such page, for any address", async () => {
    const page = await user.open("/nothing/here?a=%E0%A4%A");
    await page.getByRole("heading", { name: "There is no such page" }).waitFor();
    await page.goto(url("/settings/nothing"));
    await user.signIn(page);
    await page.getByRole("heading", { name: "There is no such page" }).waitFor();
  });

  it("works where the browser forbids storage", async () => {
    const context = await user.window();
    await context.addInitScript(() => {
      for (const name of ["localStorage", "sessionStorage"]) {
        Object.defineProperty(globalThis, name, {
          get() {
            throw new DOMException("forbidden", "SecurityError");
          },
        });
      }
    });
    const page = await context.newPage();
    await page.goto(url("/settings/account"));
    await user.signIn(page);
    await page.getByLabel("Theme").selectOption("dark");
    expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
  });

  it("says that the server cannot be reached, and continues when it can", async () => {
    const page = await user.open("/settings/account");
    await page.context().setOffline(true);
    user.expects(/ERR_INTERNET_DISCONNECTED/);
    await page.getByRole("link", { name: "Exports" }).click();
    await page.getByText("No connection to the server.").waitFor();
    await page.context().setOffline(false);
    await page.getByRole("heading", { name: "No exports yet" }).waitFor();
    await page.getByText("No connection to the server.").waitFor({ state: "detached" });
  });
});

/** Ends the session of the page on the server, as another device could. */
async function endSession(): Promise<void> {
  const token = await new Promise<string>((resolve) => {
    const channel = new BroadcastChannel("hourglass");
    channel.onmessage = ({ data }: MessageEvent<{ token?: string }>) => {
      if (data.token !== undefined) resolve(data.token);
    };
    channel.postMessage({ kind: "asks" });
  });
  const headers = { Authorization: `Bearer ${token}` };
  await fetch("/api/v1/users/sign_in", { method: "DELETE", headers });
  // It ends everywhere within ten seconds.
  for (let status = 200; status !== 401;) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    ({ status } = await fetch("/api/v2/me", { headers }));
  }
}
