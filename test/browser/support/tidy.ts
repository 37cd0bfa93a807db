import { Hourglass } from "@hourglass/client";
import { afterAll, beforeAll } from "vitest";
import type { Demo } from "../../support/demo.js";

/** Deletes the insights that the tests of a file leave behind: the home screen of the others shows the newest ones only. */
export function deletesNewInsights({ url, email, password }: Demo): void {
  let client: Hourglass | undefined;
  const before = new Set<number>();
  beforeAll(async () => {
    if (url === "") return;
    client = new Hourglass({ baseUrl: url });
    await client.signIn(email, password);
    for await (const { id } of client.insights()) before.add(id);
  });
  afterAll(async () => {
    for await (const { id } of client?.insights() ?? []) {
      if (!before.has(id)) await client?.api.DELETE("/api/v2/products/insight/{id}", { params: { path: { id } } });
    }
  });
}
