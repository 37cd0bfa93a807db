import type { PlatformAdministration } from "@hourglass/insight";
import { expect, it } from "vitest";
import type { Administration } from "./administration.js";
import { COMMANDS } from "./commands.js";

let closed = 0;
const ADMINISTRATION: PlatformAdministration = {
  list: () =>
    Promise.resolve({
      platforms: [
        { name: "news", missing: undefined, searches: { waiting: 2, failing: 1 } },
        { name: "reddit", missing: "Set REDDIT_CLIENT_ID.", searches: {} },
      ],
      budgets: [{ name: "twitter.posts", limit: 10_000, spent: 120, units: "posts of X", resetAt: Date.UTC(2026, 11) }],
    }),
  check: () =>
    Promise.resolve([
      { name: "news", outcome: "needs no credentials", message: "" },
      { name: "twitter", outcome: "refused", message: "X rejects the token.\nRenew it." },
    ]),
  close: () => void (closed += 1),
};

async function run(name: string): Promise<string[]> {
  const platforms = () => Promise.resolve(ADMINISTRATION);
  return COMMANDS[name]!.run({ platforms } as unknown as Administration, {});
}

it("lists platforms and budgets, a line each", async () => {
  expect(await run("platforms list")).toEqual([
    "news\tready\t2 waiting, 1 failing",
    "reddit\tSet REDDIT_CLIENT_ID.",
    "twitter.posts\t120 of 10000\tposts of X\t2026-12-01T00:00:00.000Z",
  ]);
});

it("prints what platforms answer, a line each, and closes the connections", async () => {
  closed = 0;
  expect(await run("platforms check")).toEqual([
    "news\tneeds no credentials",
    "twitter\trefused\tX rejects the token.\\u{a}Renew it.",
  ]);
  expect(closed).toBe(1);
});
