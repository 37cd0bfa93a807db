import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import type { ConsoleUser, Look } from "./console-page.js";
import { Line } from "./line.js";

/** A user of the console whose line to the server can fail. */
export interface LineUser {
  readonly line: Line;
  /** A page that has signed in over the line; `prepare` comes before its first request. */
  open(path: string, options?: { look?: Look; prepare?: (page: Page) => Promise<void> }): Promise<Page>;
  /** Ends the session, as another device could: what is sent with its token is refused until somebody signs in. */
  endSession(): void;
}

/** The user over a line of their own, which is whole again after each test. */
export function overLine(user: ConsoleUser): LineUser {
  let line: Line | undefined;
  beforeAll(async () => {
    if (user.demo.url !== "") line = await Line.to(user.demo.url);
  });
  afterEach(() => line?.mend());
  afterAll(() => line?.close());
  const whole = (): Line => {
    if (line === undefined) throw new Error("There is no line.");
    return line;
  };
  return {
    get line() {
      return whole();
    },
    open: async (path, { look, prepare } = {}) => {
      const page = await (await user.window(look)).newPage();
      await prepare?.(page);
      await page.goto(`${whole().url}/sign-in?next=${encodeURIComponent(path)}`);
      await user.signIn(page);
      await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
      await page.locator("main h1").waitFor();
      return page;
    },
    endSession: () => {
      let isSignedIn = false;
      whole().fate = ({ path }) => {
        if (path === "/api/v1/users/sign_in") isSignedIn = true;
        return isSignedIn ? "pass" : { status: 401 };
      };
    },
  };
}

/** Signs in again in the dialog over the page. */
export async function signInAgain(page: Page, password: string): Promise<void> {
  await page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Your session has ended" }).waitFor({ state: "detached" });
}
