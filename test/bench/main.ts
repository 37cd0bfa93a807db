import { measureAnalyses } from "./analyses.js";
import { measureAnalysisSpeed } from "./analysis-speed.js";
import { measureBursts } from "./bursts.js";
import { measureColdStart } from "./cold-start.js";
import { measureCollection } from "./collection.js";
import { measureCompaniesSideBySide } from "./companies-side-by-side.js";
import { measureBudgets, measureConnectors } from "./connectors.js";
import { measureConsoleFeed, measureConsoleHour, measureConsoleScreens } from "./console.js";
import { measureDownloads } from "./downloads.js";
import { measureExports } from "./exports.js";
import { measureHostileBodies } from "./hostile-bodies.js";
import { measureImages } from "./image-speed.js";
import { measureImports } from "./imports.js";
import { table, type Measurement } from "./measure.js";
import { measureMerging } from "./merging.js";
import { measureLoadedModels } from "./loaded-models.js";
import { measureOperationsBesidePostings } from "./operations-beside-postings.js";
import { measureQueryMatching } from "./query-matching.js";
import { measurePostingAnalysis } from "./posting-analysis.js";
import { measurePostings } from "./postings.js";
import { measureQueues } from "./queues.js";
import { measureRecovery } from "./recovery.js";
import {
  measureApiKeys,
  measureFileContents,
  measureInsightReads,
  measureRequests,
  measureSeparateProcesses,
} from "./requests.js";
import { measureRpcLibraries } from "./rpc-libraries.js";
import { measureScaling } from "./scaling.js";
import {
  measureInsightsBesideAnother,
  measureOneUserApart,
  measureOneUserBesideAnother,
} from "./one-user-beside-another.js";
import { openServers } from "./servers.js";
import { measureStreamMatching } from "./stream-matching.js";
import { measureSummaries } from "./summaries.js";
import { measureUploads } from "./uploads.js";
import { measureVideoAndSpeech } from "./video-speed.js";

/** `npm run bench [-- NAME…]`: all suites, or those whose names contain one of the words. */
const words = process.argv.slice(2).map((word) => word.toLowerCase());
const servers = await openServers();
const suites = [
  measureColdStart,
  measureRequests,
  measureApiKeys,
  measureBursts,
  measureHostileBodies,
  measureInsightReads,
  measureFileContents,
  measureSeparateProcesses,
  measureRpcLibraries,
  measureAnalyses,
  measureAnalysisSpeed,
  measureLoadedModels,
  measureQueryMatching,
  measureStreamMatching,
  measureQueues,
  measureRecovery,
  measureScaling,
  measureCollection,
  measureConnectors,
  measureBudgets,
  measureExports,
  measureMerging,
  measureDownloads,
  measureUploads,
  measurePostings,
  measureSummaries,
  measureImports,
  measurePostingAnalysis,
  measureOperationsBesidePostings,
  measureCompaniesSideBySide,
  measureOneUserBesideAnother,
  measureOneUserApart,
  measureInsightsBesideAnother,
  measureImages,
  measureVideoAndSpeech,
  measureConsoleScreens,
  measureConsoleFeed,
  measureConsoleHour,
].filter(({ name }) => words.length === 0 || words.some((word) => name.toLowerCase().includes(word)));
const rows: Measurement[] = [];
try {
  for (const suite of suites) {
    process.stderr.write(`${suite.name} …\n`);
    rows.push(...(await suite(servers.all)));
  }
} finally {
  await servers.close();
}
process.stdout.write(`${table(rows)}\n`);
