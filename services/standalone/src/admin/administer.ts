import { setTimeout as sleep } from "node:timers/promises";
import { buildAuthService, generatePassword } from "@hourglass/auth";
import { AdminService } from "@hourglass/proto/auth/v1/admin_service";
import {
  createInProcessClient,
  createLogger,
  Dispatcher,
  Lifecycle,
  openStorage,
  type Client,
  type Config,
  type Logger,
  type Queue,
} from "@hourglass/runtime";
import type { Invocation } from "./command-line.js";
import { print } from "./output.js";

/** Runs one command on the data of a server, which may be running; resolves when running servers act by the change. */
export async function administer({ command, values }: Invocation, config: Config): Promise<void> {
  const log = createLogger("silent"); // failures are told in a sentence, and stdout belongs to the command
  const opener = new Opener(config, log);
  const choosePassword = () => {
    const given = config.auth.adminPassword;
    return { password: given ?? generatePassword(), generated: given === undefined };
  };
  try {
    const accounts = () => opener.accounts();
    const queue = () => opener.queue();
    print(await command.run({ config, accounts, queue, choosePassword }, values));
  } finally {
    await opener.close();
  }
  await sleep(command.settleMs);
}

const CLOSE_MS = 2000;

/** Opens what a command asks for, and closes it again. */
class Opener {
  private readonly lifecycle: Lifecycle;

  constructor(
    private readonly config: Config,
    private readonly log: Logger,
  ) {
    this.lifecycle = new Lifecycle(log);
  }

  async accounts(): Promise<Client<typeof AdminService>> {
    const { config, log, lifecycle } = this;
    const { store } = await openStorage({ config, log, lifecycle, parts: ["store"] });
    const auth = await buildAuthService({ store, config, log, serving: false });
    const dispatcher = new Dispatcher({ authenticate: auth.authenticate, reportFailure: () => undefined });
    return createInProcessClient(AdminService, auth.adminRoute, dispatcher);
  }

  async queue(): Promise<Queue> {
    const { config, log, lifecycle } = this;
    return (await openStorage({ config, log, lifecycle, parts: ["queue"] })).queue;
  }

  close(): Promise<void> {
    return this.lifecycle.stop(CLOSE_MS);
  }
}
