import { runProcess } from "@hourglass/runtime";
import { banner } from "./banner.js";
import { STANDALONE_SETTINGS } from "./config.js";
import { startStandalone } from "./start-standalone.js";

/** Entry point of `npm start`: the whole product in this process. */
runProcess({ name: "standalone", settings: STANDALONE_SETTINGS }, async (foundation) => {
  const server = await startStandalone(foundation);
  process.stdout.write(banner({ ...server, email: foundation.config.auth.bootstrap.email }));
});
