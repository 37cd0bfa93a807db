import type { ReanalysisAdministration, ReanalysisState } from "@hourglass/insight";
import { expect, it } from "vitest";
import { UsageError, type Administration, type OptionValues } from "./administration.js";
import { COMMANDS } from "./commands.js";

const asked: unknown[] = [];
const STATE: ReanalysisState = {
  insightId: 12,
  status: "running",
  postings: 5000,
  seen: 1200,
  put: 800,
  startedAt: Date.UTC(2026, 0, 31),
  finishedAt: undefined,
};
const REANALYSES: ReanalysisAdministration = {
  begin: (scope) => {
    asked.push(["begin", scope]);
    return Promise.resolve([STATE]);
  },
  read: (scope) => {
    asked.push(["read", scope]);
    return Promise.resolve([{ ...STATE, status: "done", finishedAt: Date.UTC(2026, 1, 1) }]);
  },
};

function run(values: OptionValues): Promise<string[]> {
  const reanalyses = () => Promise.resolve(REANALYSES);
  const companies = { find: (name: string) => Promise.resolve({ id: name.length }) };
  const erasures = () => Promise.resolve({ companies });
  return COMMANDS["reanalyze"]!.run({ reanalyses, erasures } as unknown as Administration, values);
}

it("begins for an insight or a company, and only prints with --status", async () => {
  asked.length = 0;
  expect(await run({ insight: "12" })).toEqual([
    "12\trunning\t1200 of 5000\t800 analyzed again\t2026-01-31T00:00:00.000Z",
  ]);
  expect(await run({ company: "Acme", status: "true" })).toEqual([
    "12\tdone\t1200 of 5000\t800 analyzed again\t2026-01-31T00:00:00.000Z\t2026-02-01T00:00:00.000Z",
  ]);
  expect(asked).toEqual([
    ["begin", { insightId: 12 }],
    ["read", { companyId: 4 }],
  ]);
});

it.each([{}, { insight: "1", company: "Acme" }, { insight: "x" }])("refuses %j", async (values) => {
  await expect(run(values)).rejects.toThrow(UsageError);
});
