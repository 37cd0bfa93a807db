import { setTimeout as sleep } from "node:timers/promises";
import type { MediaFacts } from "@hourglass/analysis";
import { generatePassword } from "@hourglass/auth";
import type { ImportAdministration, PlatformAdministration } from "@hourglass/insight";
import type { GalleryAdministration } from "@hourglass/media";
import type { AdminService } from "@hourglass/proto/auth/v1/admin_service";
import {
  AppError,
  createLogger,
  Lifecycle,
  makingRoom,
  type Client,
  type Logger,
  type Queue,
} from "@hourglass/runtime";
import type { ErasureAdministration } from "./command.js";
import type { Invocation } from "./command-line.js";
import type { AdminConfig } from "./config.js";
import type { Opening } from "./open/opening.js";
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
    const run = () => command.run({ config, ...opened, describeFace: describe, choosePassword }, values);
    print(await (command.makesRoom === true ? makingRoom(run) : run()));
  } catch (error) {
    throw opener.explain(error);
  } finally {
    await opener.close();
  }
  await sleep(command.settleMs);
}

const CLOSE_MS = 2000;

/** Opens the resources that a command requests, and closes them again. What opens them is loaded only then. */
class Opener implements Opening {
  readonly lifecycle: Lifecycle;
  /** Variables with the addresses of the servers in use. */
  private readonly servers = new Set<string>();

  constructor(
    readonly config: AdminConfig,
    readonly log: Logger,
  ) {
    this.lifecycle = new Lifecycle(log);
  }

  async accounts(): Promise<Client<typeof AdminService>> {
    const { openAccounts } = await import("./open/accounts.js");
    return openAccounts(this.onStore());
  }

  async queue(): Promise<Queue> {
    if (this.config.amqpUrl !== undefined) this.servers.add("AMQP_URL");
    const { openQueue } = await import("./open/queue.js");
    return openQueue(this);
  }

  async gallery(): Promise<GalleryAdministration> {
    const { openGallery } = await import("./open/content.js");
    return openGallery(this.onStore());
  }

  async erasures(): Promise<ErasureAdministration> {
    const { openErasures } = await import("./open/erasures.js");
    return openErasures(this.onStore());
  }

  async imports(): Promise<ImportAdministration> {
    const { openPostings } = await import("./open/content.js");
    return openPostings(this.onStore());
  }

  async platforms(): Promise<PlatformAdministration> {
    const { openPlatforms } = await import("./open/content.js");
    return openPlatforms(this.onStore());
  }

  private onStore(): Opening {
    if (this.config.mongodbUrl !== undefined) this.servers.add("MONGODB_URL");
    return this;
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
