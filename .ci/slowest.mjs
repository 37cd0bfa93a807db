// Prints the five test files of vitest JSON reports whose tests took longest, one per line; a report is named after its suite.
import fs from "node:fs";
import path from "node:path";

const files = process.argv.slice(2).flatMap((report) => {
  const { testResults } = JSON.parse(fs.readFileSync(report, "utf8"));
  const suite = path.basename(report, ".json");
  return testResults.map(({ name, startTime, endTime }) => ({ suite, name, seconds: (endTime - startTime) / 1000 }));
});
files.sort((one, other) => other.seconds - one.seconds);
for (const { suite, name, seconds } of files.slice(0, 5)) {
  process.stdout.write(`${seconds.toFixed(0).padStart(5)} s  ${suite}: ${path.relative(process.cwd(), name)}\n`);
}
