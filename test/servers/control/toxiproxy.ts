import { freePort } from "../../support/free-port.js";
import { installed } from "./installed.js";
import { ServerProcess } from "./server-process.js";

/** A fault of a connection; attributes as documented by toxiproxy, times in milliseconds. */
export interface Toxic {
  type: "latency" | "bandwidth" | "timeout" | "reset_peer" | "limit_data";
  /** downstream: from the server; upstream: to the server. */
  stream: "upstream" | "downstream";
  attributes: Record<string, number>;
}

/** A proxy between the product and one server. */
export class Proxy {
  constructor(
    private readonly api: string,
    /** Its port on the loopback interface. */
    readonly port: number,
    private readonly name: string,
  ) {}

  /** Breaks all connections and refuses new ones, as if the server were down; or accepts them again. */
  async setOpen(enabled: boolean): Promise<void> {
    await call("POST", `${this.api}/proxies/${this.name}`, { enabled });
  }

  /** Adds a fault that lasts until `heal`. */
  async poison(toxic: Toxic): Promise<void> {
    await call("POST", `${this.api}/proxies/${this.name}/toxics`, { name: `${toxic.type}-${toxic.stream}`, ...toxic });
  }

  /** Cuts the current connections; later ones are served. */
  async cut(): Promise<void> {
    await this.setOpen(false);
    await this.setOpen(true);
  }

  /** Removes all faults. */
  async heal(): Promise<void> {
    const { toxics } = (await call("GET", `${this.api}/proxies/${this.name}`)) as { toxics: { name: string }[] };
    for (const { name } of toxics) await call("DELETE", `${this.api}/proxies/${this.name}/toxics/${name}`);
    await this.setOpen(true);
  }
}

/** A toxiproxy server: breaks connections on demand. */
export class Toxiproxy {
  private constructor(
    private readonly api: string,
    private readonly server: ServerProcess,
  ) {}

  static async start(): Promise<Toxiproxy> {
    const port = await freePort();
    const server = new ServerProcess({
      name: "toxiproxy",
      file: installed("TOXIPROXY_SERVER"),
      args: ["-host", "127.0.0.1", "-port", String(port)],
      env: { LOG_LEVEL: "error" },
      port,
    });
    await server.start();
    return new Toxiproxy(`http://127.0.0.1:${port}`, server);
  }

  /** Creates a proxy for the server at a port of the loopback interface. */
  async before(upstreamPort: number): Promise<Proxy> {
    const port = await freePort();
    const name = `to-${upstreamPort}-at-${port}`;
    const addresses = { listen: `127.0.0.1:${port}`, upstream: `127.0.0.1:${upstreamPort}` };
    await call("POST", `${this.api}/proxies`, { name, enabled: true, ...addresses });
    return new Proxy(this.api, port, name);
  }

  async remove(): Promise<void> {
    await this.server.stop();
  }
}

async function call(method: string, url: string, body?: object): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: { "user-agent": "hourglass-test" }, // toxiproxy refuses browsers by this header
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`toxiproxy answered ${response.status}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}
