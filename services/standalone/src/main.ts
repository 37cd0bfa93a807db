import {
  armFailpoints,
  ConfigError,
  createLogger,
  Lifecycle,
  readConfig,
  stopOnSignals,
  type Config,
} from "@hourglass/runtime";
import { banner } from "./banner.js";
import { startStandalone } from "./start-standalone.js";

/** Entry of `npm start`: the whole product in this process. */
async function main(): Promise<void> {
  const config = configOrExit();
  armFailpoints(config.failpoints);
  const log = createLogger(config.logLevel);
  const lifecycle = new Lifecycle(log);
  stopOnSignals(lifecycle, log);
  const server = await startStandalone({ config, log, lifecycle });
  process.stdout.write(banner({ ...server, email: config.auth.bootstrap.email }));
}

function configOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`Could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
