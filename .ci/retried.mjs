// Prints the tests of a vitest JSON report that passed only on a retry, one per line; the report contains the failures
// of their first attempts.
import fs from "node:fs";
import path from "node:path";

const { testResults } = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
for (const { name, assertionResults } of testResults) {
  for (const { status, fullName, failureMessages } of assertionResults) {
    if (status !== "passed" || failureMessages.length === 0) continue;
    process.stdout.write(`${path.relative(process.cwd(), name)} > ${fullName.replaceAll(/\s+/g, " ")}\n`);
  }
}
