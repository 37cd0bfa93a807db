import http, { type RequestOptions } from "node:http";
import https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";

/** Limits of connections and of the request rate. */
export interface ConnectionOptions {
  /** Connections to one host at a time; further requests wait. */
  connectionsMax: number;
  /** Least time from the start of one request to a host to that of the next, in milliseconds. */
  gapMs: number;
  /** Opens a connection; default: as node:http and node:https do. */
  connect?: NonNullable<RequestOptions["createConnection"]> | undefined;
}

/** Idle connections are closed after this time, in milliseconds; most servers close theirs after 5 s or more. */
const IDLE_MS = 4000;
/** Hosts whose last request is remembered before hosts without a remaining gap are forgotten. */
const HOSTS_MAX = 1000;

/** Kept-alive connections by host, and the request rate per host. */
export class Connections {
  private readonly agents: Readonly<Record<string, http.Agent>>;
  /** Earliest time of the next request by host. */
  private readonly nextAt = new Map<string, number>();

  constructor(private readonly options: ConnectionOptions) {
    const { connectionsMax, connect } = options;
    const settings = { keepAlive: true, maxSockets: connectionsMax, maxFreeSockets: connectionsMax, timeout: IDLE_MS };
    const agents = { "http:": new http.Agent(settings), "https:": new https.Agent(settings) };
    if (connect !== undefined)
      for (const agent of Object.values(agents)) Object.assign(agent, { createConnection: connect });
    this.agents = agents;
  }

  agentFor(url: URL): http.Agent | undefined {
    return this.agents[url.protocol];
  }

  /** Resolves when a request to the host may be sent. Rejects if the signal aborts the wait. */
  async turnOf(host: string, signal: AbortSignal): Promise<void> {
    const { gapMs } = this.options;
    if (gapMs <= 0) return;
    const now = performance.now();
    const at = Math.max(now, this.nextAt.get(host) ?? 0);
    this.nextAt.set(host, at + gapMs);
    if (this.nextAt.size > HOSTS_MAX) this.forgetReady(now);
    if (at > now) await sleep(at - now, undefined, { signal });
  }

  close(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }

  private forgetReady(now: number): void {
    for (const [host, at] of this.nextAt) if (at <= now) this.nextAt.delete(host);
  }
}
