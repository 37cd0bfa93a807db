import path from "node:path";
import { firstPasswordFile } from "@hourglass/auth";
import { runProcess } from "@hourglass/runtime";
import { STANDALONE_SETTINGS, type StandaloneConfig } from "./config.js";
import { startStandalone, type Standalone } from "./start.js";

/** Entry point of `npm start`: the whole product in this process. */
runProcess({ name: "standalone", settings: STANDALONE_SETTINGS }, async (foundation) => {
  const server = await startStandalone(foundation);
  process.stdout.write(banner(server, foundation.config));
});

/** For the person at the terminal: where to look, and who may sign in. */
function banner({ url, bootstrap }: Standalone, { auth, dataDir }: StandaloneConfig): string {
  return [
    "",
    "  Hourglass is running. Ctrl-C stops it.",
    "",
    `  Console    ${url}`,
    `  API        ${url}/docs/api`,
    `  User       ${auth.bootstrap.email}`,
    `  Password   ${whichPassword(bootstrap, dataDir)}`,
    "",
    "",
  ].join("\n");
}

function whichPassword(bootstrap: Standalone["bootstrap"], dataDir: string): string {
  if (bootstrap !== undefined && !bootstrap.generated) return "as in BOOTSTRAP_PASSWORD";
  const file = bootstrap?.file ?? firstPasswordFile(dataDir);
  if (file !== undefined) {
    const near = path.relative(process.cwd(), file);
    return `in ${near.startsWith("..") ? file : near}; delete the file once you know it`;
  }
  return "the one you chose; npm run -s admin -- user set-password sets another";
}
