import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { connect } from "amqplib";
import { freePort } from "../../support/free-port.js";
import { installed } from "./installed.js";
import { ServerProcess } from "./server-process.js";

const run = promisify(execFile);

/**
 * Memory below which the node accepts messages; a test that needs the alarm sets less, and restores this afterwards.
 */
const MEMORY = "1GB";

/** A separate RabbitMQ node, with ports, data and Erlang's name service of its own. */
export class RabbitNode {
  /** As in AMQP_URL. */
  readonly url: string;

  private constructor(
    readonly port: number,
    private readonly folder: string,
    private readonly programs: Programs,
    private readonly server: ServerProcess,
  ) {
    this.url = amqpUrl(port);
  }

  /**
   * Starts a node on free ports, without any data; takes about 5 s. `settings` are lines of its rabbitmq.conf, `scripts` is
   * the folder of its programs.
   */
  static async start(
    settings: readonly string[] = [],
    scripts: string = installed("RABBITMQ_SCRIPTS"),
  ): Promise<RabbitNode> {
    const folder = await mkdtemp(path.join(tmpdir(), "hourglass-rabbitmq-"));
    const [port, distribution, names] = [await freePort(), await freePort(), await freePort()];
    const env = environment(folder, { port, distribution, names });
    await writeSettings(folder, port, settings);
    const server = new ServerProcess({
      name: "RabbitMQ",
      // The wrappers on the PATH require root, or the package's user.
      file: path.join(scripts, "rabbitmq-server"),
      args: [],
      env,
      port,
    });
    const node = new RabbitNode(port, folder, { scripts, env }, server);
    await server.start();
    return node;
  }

  /** Restarts it on the same data. */
  async startAgain(): Promise<void> {
    await this.server.start();
  }

  async kill9(): Promise<void> {
    await this.server.kill9();
  }

  freeze(): void {
    this.server.freeze();
  }

  thaw(): void {
    this.server.thaw();
  }

  /** Runs a command of rabbitmqctl; returns its output. */
  async ctl(...args: string[]): Promise<string> {
    const { scripts, env } = this.programs;
    const file = path.join(scripts, "rabbitmqctl");
    const { stdout } = await run(file, ["--quiet", ...args], { env: { ...env, PATH: process.env["PATH"] } });
    return stdout;
  }

  /**
   * Number of consumers of a queue; 0 if it does not exist. Asked over AMQP, because rabbitmqctl takes a second of
   * processor time to start.
   */
  async consumersOf(queue: string): Promise<number> {
    const connection = await connect(this.url);
    // A missing queue closes the channel.
    connection.on("error", () => undefined);
    try {
      const channel = await connection.createChannel();
      channel.on("error", () => undefined);
      return (await channel.checkQueue(queue)).consumerCount;
    } catch (error) {
      if (error instanceof Error && error.message.includes("NOT_FOUND")) return 0;
      throw error;
    } finally {
      await connection.close();
    }
  }

  /** Whether its log contains the text. */
  async logged(text: string): Promise<boolean> {
    const folder = path.join(this.folder, "log");
    const logs = await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name), "utf8")));
    return logs.some((log) => log.includes(text));
  }

  /** Makes the node block publishers, as if its memory were used up; or accept messages again. */
  async memoryAlarm(on: boolean): Promise<void> {
    await this.ctl("set_vm_memory_high_watermark", "absolute", on ? "1MB" : MEMORY);
  }

  /** Ends the node and removes its data. */
  async remove(): Promise<void> {
    await this.server.stop();
    // Erlang's name service is a separate daemon.
    await run("epmd", ["-kill"], { env: { ...this.programs.env, PATH: process.env["PATH"] } }).catch(() => undefined);
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** The URL of a broker at a port of the loopback interface, with or without a proxy in between. */
export function amqpUrl(port: number): string {
  return `amqp://guest:guest@127.0.0.1:${port}`;
}

/** The programs of the node, and the environment in which they find it. */
interface Programs {
  scripts: string;
  env: Readonly<Record<string, string>>;
}

interface Ports {
  port: number;
  distribution: number;
  names: number;
}

function environment(folder: string, { port, distribution, names }: Ports): Record<string, string> {
  const at = (name: string) => path.join(folder, name);
  return {
    HOME: folder,
    ERL_EPMD_PORT: String(names),
    ERL_EPMD_ADDRESS: "127.0.0.1",
    RABBITMQ_NODENAME: `hourglass${port}@localhost`,
    RABBITMQ_NODE_IP_ADDRESS: "127.0.0.1",
    RABBITMQ_NODE_PORT: String(port),
    RABBITMQ_DIST_PORT: String(distribution),
    RABBITMQ_MNESIA_BASE: at("mnesia"),
    RABBITMQ_LOG_BASE: at("log"),
    RABBITMQ_SCHEMA_DIR: at("schema"),
    RABBITMQ_GENERATED_CONFIG_DIR: at("schema"),
    RABBITMQ_FEATURE_FLAGS_FILE: at("feature-flags"),
    RABBITMQ_PID_FILE: at("pid"),
    RABBITMQ_CONF_ENV_FILE: "/dev/null",
    RABBITMQ_ENABLED_PLUGINS_FILE: at("plugins"),
    RABBITMQ_CONFIG_FILE: at("rabbitmq.conf"),
    ERL_CRASH_DUMP_SECONDS: "0",
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: "-kernel inet_dist_use_interface {127,0,0,1} +sbwt none",
  };
}

async function writeSettings(folder: string, port: number, settings: readonly string[]): Promise<void> {
  const write = (name: string, text: string, mode = 0o600) => writeFile(path.join(folder, name), text, { mode });
  for (const name of ["mnesia", "log", "schema"]) await mkdir(path.join(folder, name));
  await write(".erlang.cookie", randomBytes(12).toString("hex"), 0o400);
  await write("plugins", "[].");
  await write(
    "rabbitmq.conf",
    [
      `listeners.tcp.1 = 127.0.0.1:${port}`,
      `vm_memory_high_watermark.absolute = ${MEMORY}`,
      "disk_free_limit.absolute = 50MB",
      ...settings,
      "",
    ].join("\n"),
  );
}
