// Prints the tests of a vitest JSON report that failed, or that passed only on a retry, one per line, each followed by the
// first line of every failed attempt; files that failed as a whole count as failed: `failures.mjs REPORT failed|retried`.
import fs from "node:fs";
import path from "node:path";

const LINE_MAX = 400;
const [report, wanted] = process.argv.slice(2);
const { testResults } = JSON.parse(fs.readFileSync(report, "utf8"));

const first = (text) =>
  text
    .split("\n")
    .find((line) => line.trim() !== "")
    ?.slice(0, LINE_MAX);
const isWanted = ({ status, failureMessages }) =>
  wanted === "failed" ? status === "failed" : status === "passed" && failureMessages.length > 0;

for (const { name, status, message, assertionResults } of testResults) {
  const file = path.relative(process.cwd(), name);
  const hasFailedTest = assertionResults.some((test) => test.status === "failed");
  if (wanted === "failed" && status === "failed" && !hasFailedTest) print(file, [message]);
  for (const { fullName, failureMessages } of assertionResults.filter(isWanted)) {
    print(`${file} > ${fullName.replaceAll(/\s+/g, " ")}`, failureMessages);
  }
}

function print(what, messages) {
  process.stdout.write(`${[what, ...messages.map(first)].join("\n      ")}\n`);
}
