import { measureAnalyses } from "./analyses.js";
import { measureColdStart } from "./cold-start.js";
import { table, type Measurement } from "./measure.js";
import { measureRequests } from "./requests.js";

const suites = [measureColdStart, measureRequests, measureAnalyses];
const rows: Measurement[] = [];
for (const suite of suites) {
  process.stderr.write(`${suite.name} …\n`);
  rows.push(...(await suite()));
}
process.stdout.write(`${table(rows)}\n`);
