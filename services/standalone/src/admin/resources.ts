import { existsSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { MediaFacts } from "@hourglass/analysis";
import { AppError, createLogger, DATABASE_FILE, Lifecycle, makingRoom } from "@hourglass/runtime";
import type { AdminConfig } from "../config.js";
import type { Administration, Opening } from "./administration.js";
import type { Invocation } from "./commands.js";
import { print } from "./output.js";

/** Runs one command on the data of a server, which may be running; resolves once running servers apply the change. */
export async function administer({ command, values }: Invocation, config: AdminConfig): Promise<void> {
  if (command.reads === true) needData(config);
  if (command.asks !== undefined && values["yes"] === undefined) {
    throw new AppError("conflict", `${command.asks(values)} Nothing was changed. Add --yes to do it.`);
  }
  const resources = new Resources(config);
  try {
    const run = () => command.run(resources, values);
    print(await (command.makesRoom === true ? makingRoom(run) : run()));
  } catch (error) {
    throw resources.explain(error);
  } finally {
    await resources.close();
  }
  await sleep(command.appliedAfterMs ?? 0);
}

/** A command that only reads makes no database in a folder that was named by mistake. */
function needData({ mongodbUrl, dataDir }: AdminConfig): void {
  if (mongodbUrl !== undefined || existsSync(path.join(dataDir, DATABASE_FILE))) return;
  throw new AppError(
    "not-found",
    `There is no data in ${dataDir}. Run this beside the server, with its DATA_DIR, or its MONGODB_URL and AMQP_URL.`,
  );
}

const CLOSE_MS = 2000;

/** Opens the resources that a command requests, and closes them again. The code that opens them is loaded only then. */
class Resources implements Administration, Opening {
  // Failures are reported in a sentence, and stdout belongs to the command.
  readonly log = createLogger("silent");
  readonly lifecycle = new Lifecycle(this.log);
  /** Variables with the addresses of the servers in use. */
  private readonly servers = new Set<string>();

  constructor(readonly config: AdminConfig) {}

  readonly accounts = async () => (await import("./accounts.js")).openAccounts(this.onStore());

  readonly erasures = async () => (await import("./accounts.js")).openErasures(this.onStore());

  readonly gallery = async () => (await import("./gallery.js")).openGallery(this.onStore());

  readonly imports = async () => (await import("./import.js")).openImports(this.onStore());

  readonly reanalyses = async () => (await import("./reanalyze.js")).openReanalyses(this.onStore());

  readonly platforms = async () => (await import("./platforms.js")).openPlatforms(this.onStore());

  readonly patient = async () => (await import("./doctor/doctor.js")).openPatient(this.onStore());

  readonly markBad = () => void (process.exitCode = 1);

  readonly queue = async () => {
    if (this.config.amqpUrl !== undefined) this.servers.add("AMQP_URL");
    return (await import("./jobs.js")).openQueue(this);
  };

  readonly describeFace = async (file: string, facts: MediaFacts) => {
    const { createMediaPool, UnreadableFileError } = await import("@hourglass/analysis");
    const pool = createMediaPool(this.config.analysis);
    try {
      return await pool.describeFace(file, facts);
    } catch (error) {
      throw error instanceof UnreadableFileError ? new AppError("invalid", error.message) : error;
    } finally {
      await pool.close();
    }
  };

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
