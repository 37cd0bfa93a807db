import { setTimeout as sleep } from "node:timers/promises";
import { buildAuthService, generatePassword } from "@hourglass/auth";
import { AdminService } from "@hourglass/proto/auth/v1/admin_service";
import {
  AppError,
  createInProcessClient,
  createLogger,
  Dispatcher,
  openEmbeddedStore,
  type Config,
} from "@hourglass/runtime";
import type { Invocation } from "./command-line.js";
import { print } from "./output.js";

/** Runs one command on the data of a server, which may be running; resolves when running servers act by the change. */
export async function administer({ command, values }: Invocation, config: Config): Promise<void> {
  if (config.mongodbUrl !== undefined) {
    throw new AppError("unimplemented", "MongoDB is not available in this version: unset MONGODB_URL to use DATA_DIR.");
  }
  const log = createLogger("silent"); // failures are told in a sentence, and stdout belongs to the command
  const store = await openEmbeddedStore({ dataDir: config.dataDir, log });
  try {
    const auth = await buildAuthService({ store, config, log, serving: false });
    const dispatcher = new Dispatcher({ authenticate: auth.authenticate, reportFailure: () => undefined });
    const admin = createInProcessClient(AdminService, auth.adminRoute, dispatcher);
    const choosePassword = () => {
      const given = config.auth.adminPassword;
      return { password: given ?? generatePassword(), generated: given === undefined };
    };
    print(await command.run({ admin, choosePassword }, values));
  } finally {
    await store.close();
  }
  await sleep(command.settleMs);
}
