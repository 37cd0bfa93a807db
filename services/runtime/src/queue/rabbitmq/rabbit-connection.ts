import type { Channel, ChannelModel, ConfirmChannel, connect } from "amqplib";
import { AppError } from "../../errors/app-error.js";
import type { Logger } from "../../log.js";
import { pauseAfter, type RetryPolicy } from "../../process/retry-policy.js";
import { pause } from "../../process/pause.js";

interface BrokerConnectionOptions {
  url: string;
  /** Shown in the broker's list of connections. */
  name: string;
  connect: typeof connect;
  /** A broker that is silent for two to three heartbeats is considered gone. */
  heartbeatSeconds: number;
  /** How long the broker may take to respond. */
  timeoutMs: number;
  reconnect: RetryPolicy;
  onUp: () => void;
  /** Called for the loss of a connection and for each failed attempt. */
  onDown: (error: unknown) => void;
}

/** Time for an orderly close before the socket is destroyed. */
const CLOSE_MS = 1000;

/** One connection, from its opening until it is lost. Its channels end with it. */
export class Session {
  private readonly loss = new AbortController();
  private isBlocked = false;

  constructor(
    private readonly model: ChannelModel,
    private readonly timeoutMs: number,
  ) {
    // Without a listener, an error event would end the process; the close event carries the same error.
    let why: unknown;
    model.on("error", (error: Error) => (why = error));
    model.on("close", (error?: Error) => this.loss.abort(why ?? error ?? new Error("the connection was closed")));
    model.on("blocked", () => (this.isBlocked = true));
    model.on("unblocked", () => (this.isBlocked = false));
  }

  /** Aborted when the connection is gone. */
  get lost(): AbortSignal {
    return this.loss.signal;
  }

  /** Whether the broker is short of memory or disk and does not read what is published here. */
  get blocked(): boolean {
    return this.isBlocked;
  }

  /** Calls the listener each time the broker blocks the connection. */
  onBlocked(listener: () => void): void {
    this.model.on("blocked", listener);
  }

  channel(): Promise<Channel> {
    return this.opened(this.model.createChannel());
  }

  confirmChannel(): Promise<ConfirmChannel> {
    return this.opened(this.model.createConfirmChannel());
  }

  /** Never fails: a connection that cannot be closed in an orderly way is dropped. */
  async close(): Promise<void> {
    await withTimeout(CLOSE_MS, "close the connection", this.model.close()).catch(() => undefined);
    this.loss.abort(new Error("the connection was closed"));
  }

  private async opened<T extends Channel>(opening: Promise<T>): Promise<T> {
    const channel = await withTimeout(this.timeoutMs, "open a channel", opening);
    // Users of the channel get the failures of their own requests and the close event.
    channel.on("error", () => undefined);
    return channel;
  }
}

/** The end of a channel. Request it before anything else on the channel. */
export interface ChannelEnd {
  /** Resolves when the channel has closed or lost its connection, or after `letGo`. */
  readonly reached: Promise<void>;
  /** Stops waiting. */
  readonly letGo: () => void;
}

export function endOf(channel: Channel): ChannelEnd {
  let letGo: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => {
    letGo = resolve;
    channel.once("close", resolve);
  });
  return { reached, letGo };
}

/** Closes a channel, which flushes what was sent on it. Never fails: a channel that is gone counts as closed. */
export async function closeChannel(channel: Channel): Promise<void> {
  try {
    await withTimeout(CLOSE_MS, "close a channel", channel.close());
  } catch {
    // The connection is lost, or the channel was closed before.
  }
}

/** Keeps one connection to the broker: reconnects indefinitely, with growing pauses, until closed. */
export class BrokerConnection {
  private readonly closing = new AbortController();
  private readonly running: Promise<void>;
  private current: Session | undefined;
  private wakeUps: (() => void)[] = [];

  constructor(private readonly options: BrokerConnectionOptions) {
    this.running = this.run();
  }

  /** The connection; throws `unavailable` while there is none. */
  session(): Session {
    if (this.current === undefined || this.current.lost.aborted) throw brokerUnavailable("not connected");
    return this.current;
  }

  /** Waits for a connection; undefined if the signal is aborted first. */
  async up(signal: AbortSignal): Promise<Session | undefined> {
    while (!signal.aborted && !this.closing.signal.aborted) {
      if (this.current !== undefined && !this.current.lost.aborted) return this.current;
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          signal.removeEventListener("abort", wake);
          resolve();
        };
        this.wakeUps.push(wake);
        signal.addEventListener("abort", wake, { once: true });
      });
    }
    return undefined;
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.current?.close();
    await this.running;
  }

  private async run(): Promise<void> {
    const { reconnect, onDown } = this.options;
    let failures = 0;
    const stopped = this.closing.signal;
    const note = (error: unknown): void => {
      if (!stopped.aborted) onDown(error);
    };
    while (!stopped.aborted) {
      try {
        note(await this.live(() => (failures = 0)));
      } catch (error) {
        note(error);
      }
      failures += 1;
      await pause(pauseAfter(reconnect, failures), stopped);
    }
    this.wakeAll();
  }

  /** Connects and waits until the connection is lost; returns the reason. */
  private async live(onUp: () => void): Promise<unknown> {
    const { connect, timeoutMs, name } = this.options;
    // Destroys the socket: with a peer that does not answer, a half-closed one would keep the process for minutes.
    const socket = new AbortController();
    const settings = { noDelay: true, timeout: timeoutMs, clientProperties: { connection_name: name } };
    const teardown = (): void => socket.abort();
    this.closing.signal.addEventListener("abort", teardown, { once: true });
    let model: ChannelModel;
    try {
      model = await connect(this.urlWithHeartbeat(), Object.assign(settings, { signal: socket.signal }));
    } finally {
      this.closing.signal.removeEventListener("abort", teardown);
    }
    const session = new Session(model, timeoutMs);
    try {
      // Detects a connection that closed before the listeners were added.
      await closeChannel(await session.channel());
    } catch (error) {
      socket.abort();
      throw error;
    }
    this.current = session;
    onUp();
    this.options.onUp();
    this.wakeAll();
    await lossOf(session);
    this.current = undefined;
    setTimeout(teardown, CLOSE_MS).unref();
    return session.lost.reason;
  }

  private urlWithHeartbeat(): string {
    const url = new URL(this.options.url);
    url.searchParams.set("heartbeat", String(this.options.heartbeatSeconds));
    return url.toString();
  }

  private wakeAll(): void {
    const wakeUps = this.wakeUps;
    this.wakeUps = [];
    for (const wake of wakeUps) wake();
  }
}

async function lossOf({ lost }: Session): Promise<void> {
  if (lost.aborted) return;
  await new Promise<void>((resolve) => {
    lost.addEventListener("abort", () => resolve(), { once: true });
  });
}

interface AvailabilityLogOptions {
  /** Host and port. */
  broker: string;
  log: Logger;
}

/** Logs once when the broker becomes unavailable and once when it is back, regardless of the number of connections. */
export class AvailabilityLog {
  private readonly down = new Set<string>();
  private isDown = false;

  constructor(private readonly options: AvailabilityLogOptions) {}

  /** The callbacks of the connection named `role`. */
  watch(role: string, onUp: () => void): { onUp: () => void; onDown: (error: unknown) => void } {
    const { broker, log } = this.options;
    return {
      onUp: () => {
        onUp();
        this.down.delete(role);
        if (!this.isDown || this.down.size > 0) return;
        this.isDown = false;
        log.info({ broker }, "RabbitMQ is back");
      },
      onDown: (error) => {
        this.down.add(role);
        if (this.isDown) {
          log.debug({ broker, err: error }, "RabbitMQ is still away");
          return;
        }
        this.isDown = true;
        log.warn({ broker, err: error }, "RabbitMQ is away; trying again until it is back");
      },
    };
  }
}

/** Retry delay reported to callers. */
const RETRY_AFTER_MS = 2000;

/** The failure of any call that needs the broker while it is unavailable; `detail` goes to the log only. */
export function brokerUnavailable(detail: string, cause?: unknown): AppError {
  return new AppError("unavailable", "The job queue cannot be reached right now. Try again shortly.", {
    code: "queue_unavailable",
    retryAfterMs: RETRY_AFTER_MS,
    cause: new Error(detail, { cause }),
  });
}

/** The result of `work`; a failure of the broker, or no answer within `limitMs`, becomes `unavailable`. */
export async function withTimeout<T>(limitMs: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(brokerUnavailable(`the broker did not answer: ${what}`)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    throw error instanceof AppError ? error : brokerUnavailable(`the broker refused: ${what}`, error);
  } finally {
    clearTimeout(timer);
  }
}

/** The code with which the broker closed the channel: 404 no such queue, 405 locked, 406 other settings. */
export function closeCode(error: unknown): number | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "number") return at.code;
  }
  return undefined;
}
