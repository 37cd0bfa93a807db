// Prints the tests of a vitest JSON report that failed, or that passed only on a retry, one per line, each with the first
// line of every failed attempt: `failures.mjs REPORT failed|retried`. A file that failed without a failed test, such as in
// its setup, counts as failed.
import fs from "node:fs";
import path from "node:path";

const REASON_MAX = 400;
const [report, wanted] = process.argv.slice(2);
const { testResults } = JSON.parse(fs.readFileSync(report, "utf8"));

const isWanted = ({ status, failureMessages }) =>
  wanted === "failed" ? status === "failed" : status === "passed" && failureMessages.length > 0;

for (const { name, status, message, assertionResults } of testResults) {
  const file = path.relative(process.cwd(), name);
  const tests = assertionResults.filter(isWanted);
  for (const { fullName, failureMessages } of tests)
    print(`${file} > ${fullName.replaceAll(/\s+/g, " ")}`, failureMessages);
  if (wanted === "failed" && status === "failed" && tests.length === 0) print(file, [message]);
}

function print(what, messages) {
  const reasons = messages.map((message) => message.trim().split("\n")[0].slice(0, REASON_MAX)).filter(Boolean);
  process.stdout.write(`${[what, ...reasons].join(" | ")}\n`);
}
