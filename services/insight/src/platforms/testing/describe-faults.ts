import { expect, it } from "vitest";
import type { ConnectorWorld, Upstream } from "./connector-world.js";
import { type Consequence, FAULTS, type FaultName } from "./faults.js";

const MINUTE = 60_000;

/** What differs from FAULTS on a platform; null: the fault cannot occur. */
export type OwnConsequences = Readonly<Partial<Record<FaultName, Consequence | null>>>;

/** What becomes of a search when its platform fails; `secret` is what no sentence may contain. */
export function describeFaults<U extends Upstream>(
  { faults, secret }: { readonly faults: OwnConsequences; readonly secret: string | undefined },
  worldOf: () => ConnectorWorld<U>,
): void {
  const cases = Object.entries(FAULTS).flatMap(([name, [fault, status, sentence]]) => {
    const own = faults[name as FaultName];
    return own === null ? [] : [{ name, fault, ...(own ?? { status, sentence }) }];
  });

  it.each(cases)("shows what to do about $name, and goes on afterwards", async ({ fault, status, sentence }) => {
    const tested = worldOf();
    const insight = await tested.insight();
    const ids = tested.post(3);
    tested.upstream.failAlways(fault);
    await tested.world.worker().pollNext();
    const search = await tested.search(insight);
    expect(search).toMatchObject({ status, cursor: null, lastError: expect.stringMatching(sentence) as string });
    if (secret !== undefined) expect(JSON.stringify(search)).not.toContain(secret);
    tested.upstream.failAlways(undefined);
    await tested.pollToEnd(insight);
    expect(await tested.stored(insight)).toEqual([...ids].sort());
  });

  it("is checked by one question, whose refusal is a sentence for people", async () => {
    const tested = worldOf();
    const connector = await tested.connector();
    if (connector.check === undefined) return;
    await connector.check(tested.request());
    tested.upstream.failAlways({ kind: "status", status: 401 });
    await expect(connector.check(tested.request())).rejects.toMatchObject({
      message: expect.stringMatching(/\.$/) as string,
    });
  });

  it("asks no sooner than a platform with too many requests allows", async () => {
    const tested = worldOf();
    const insight = await tested.insight();
    const until = tested.world.time + 30 * MINUTE;
    tested.upstream.failNext({ kind: "status", status: 429, headers: { "Retry-After": "1800" } });
    await tested.world.worker().pollNext();
    expect((await tested.search(insight)).dueAt).toBeGreaterThanOrEqual(until);
  });
}
