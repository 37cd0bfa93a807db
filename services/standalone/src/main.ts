import { runProcess, startTracing } from "@hourglass/runtime";
import { banner } from "./banner.js";
import { startStandalone } from "./start-standalone.js";

/** Entry of `npm start`: the whole product in this process. */
runProcess(async (foundation) => {
  const { config, log, lifecycle } = foundation;
  const tracing = await startTracing({ config: config.tracing, process: "standalone", log });
  lifecycle.add("tracing", () => tracing.stop());
  const server = await startStandalone(foundation);
  process.stdout.write(banner({ ...server, email: config.auth.bootstrap.email }));
});
