import { setTimeout as sleep } from "node:timers/promises";
import type { MediaFacts } from "@hourglass/analysis";
import { buildAuthService, generatePassword, openCompanyErasures } from "@hourglass/auth";
import {
  administerPlatforms,
  openImports,
  type ImportAdministration,
  type PlatformAdministration,
} from "@hourglass/insight";
import { type GalleryAdministration, openGallery } from "@hourglass/media";
import { AdminService } from "@hourglass/proto/auth/v1/admin_service";
import {
  AppError,
  createInProcessClient,
  createLogger,
  Dispatcher,
  Lifecycle,
  openStorage,
  type Client,
  type Logger,
  type Queue,
} from "@hourglass/runtime";
import type { ErasureAdministration } from "./command.js";
import type { Invocation } from "./command-line.js";
import type { AdminConfig } from "./config.js";
import { print } from "./output.js";

/** Runs one command on the data of a server, which may be running; resolves once running servers apply the change. */
export async function administer({ command, values }: Invocation, config: AdminConfig): Promise<void> {
  const log = createLogger("silent"); // failures are reported in a sentence, and stdout belongs to the command
  const opener = new Opener(config, log);
  const choosePassword = () => {
    const given = config.admin.password;
    return { password: given ?? generatePassword(), generated: given === undefined };
  };
  try {
    const accounts = () => opener.accounts();
    const queue = () => opener.queue();
    const gallery = () => opener.gallery();
    const imports = () => opener.imports();
    const platforms = () => opener.platforms();
    const describe = (file: string, facts: MediaFacts) => describeFace(config, file, facts);
    const erasures = () => opener.erasures();
    const opened = { accounts, queue, gallery, imports, platforms, erasures };
    print(await command.run({ config, ...opened, describeFace: describe, choosePassword }, values));
  } catch (error) {
    throw opener.explain(error);
  } finally {
    await opener.close();
  }
  await sleep(command.settleMs);
}

const CLOSE_MS = 2000;

/** Opens the resources that a command requests, and closes them again. */
class Opener {
  private readonly lifecycle: Lifecycle;
  /** Variables with the addresses of the servers in use. */
  private readonly servers = new Set<string>();

  constructor(
    private readonly config: AdminConfig,
    private readonly log: Logger,
  ) {
    this.lifecycle = new Lifecycle(log);
  }

  async accounts(): Promise<Client<typeof AdminService>> {
    const { config, log, lifecycle } = this;
    if (config.mongodbUrl !== undefined) this.servers.add("MONGODB_URL");
    const { store } = await openStorage({ config, log, lifecycle, parts: ["store"] });
    const auth = await buildAuthService({ store, config, log, serving: false });
    const dispatcher = new Dispatcher({ authenticate: auth.authenticate, reportFailure: () => undefined });
    return createInProcessClient(AdminService, auth.adminRoute, dispatcher);
  }

  async queue(): Promise<Queue> {
    const { config, log, lifecycle } = this;
    if (config.amqpUrl !== undefined) this.servers.add("AMQP_URL");
    const { queue } = await openStorage({ config, log, lifecycle, parts: ["queue"] });
    await untilReached(queue);
    return queue;
  }

  async gallery(): Promise<GalleryAdministration> {
    const { config, log, lifecycle } = this;
    if (config.mongodbUrl !== undefined) this.servers.add("MONGODB_URL");
    return openGallery(await openStorage({ config, log, lifecycle, parts: ["store", "blobs"] }));
  }

  async erasures(): Promise<ErasureAdministration> {
    const { config, log, lifecycle } = this;
    if (config.mongodbUrl !== undefined) this.servers.add("MONGODB_URL");
    const storage = await openStorage({ config, log, lifecycle, parts: ["store", "blobs", "contents"] });
    return { ...storage, companies: await openCompanyErasures(storage.store) };
  }

  async imports(): Promise<ImportAdministration> {
    const { config, log, lifecycle } = this;
    if (config.mongodbUrl !== undefined) this.servers.add("MONGODB_URL");
    return openImports(await openStorage({ config, log, lifecycle, parts: ["store"] }));
  }

  async platforms(): Promise<PlatformAdministration> {
    const { config, log, lifecycle } = this;
    if (config.mongodbUrl !== undefined) this.servers.add("MONGODB_URL");
    const { store } = await openStorage({ config, log, lifecycle, parts: ["store"] });
    return administerPlatforms({ store, config });
  }

  /** Adds the address variables to an outage error. */
  explain(error: unknown): unknown {
    if (!(error instanceof AppError) || error.kind !== "unavailable" || this.servers.size === 0) return error;
    const { message, cause } = error;
    return new AppError("unavailable", `${message} Its address is that of ${[...this.servers].join(", ")}.`, { cause });
  }

  close(): Promise<void> {
    return this.lifecycle.stop(CLOSE_MS);
  }
}

/** The analyses are loaded only here, since other commands do not need them. */
async function describeFace(config: AdminConfig, file: string, facts: MediaFacts): Promise<number[]> {
  const { createMediaPool, UnreadableFileError } = await import("@hourglass/analysis");
  const pool = createMediaPool(config.analysis);
  try {
    return await pool.describeFace(file, facts);
  } catch (error) {
    throw error instanceof UnreadableFileError ? new AppError("invalid", error.message) : error;
  } finally {
    await pool.close();
  }
}

/** The broker is connected in the background; the command waits at most this long for it, in milliseconds. */
const CONNECT_MS = 10_000;
const LOOK_EVERY_MS = 100;

async function untilReached(queue: Queue): Promise<void> {
  const giveUpAt = performance.now() + CONNECT_MS;
  for (;;) {
    try {
      await queue.ping();
      return;
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== "unavailable" || performance.now() > giveUpAt) throw error;
    }
    await sleep(LOOK_EVERY_MS);
  }
}
