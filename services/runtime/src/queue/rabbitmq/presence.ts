import type { Logger } from "../../log/logger.js";

export interface PresenceOptions {
  /** Host and port. */
  broker: string;
  log: Logger;
}

/** Logs once when the broker becomes unavailable and once when it is back, regardless of the number of connections. */
export class Presence {
  private readonly down = new Set<string>();
  private away = false;

  constructor(private readonly options: PresenceOptions) {}

  /** The callbacks of the connection named `role`. */
  watch(role: string, onUp: () => void): { onUp: () => void; onDown: (error: unknown) => void } {
    const { broker, log } = this.options;
    return {
      onUp: () => {
        onUp();
        this.down.delete(role);
        if (!this.away || this.down.size > 0) return;
        this.away = false;
        log.info({ broker }, "RabbitMQ is back");
      },
      onDown: (error) => {
        this.down.add(role);
        if (this.away) {
          log.debug({ broker, err: error }, "RabbitMQ is still away");
          return;
        }
        this.away = true;
        log.warn({ broker, err: error }, "RabbitMQ is away; trying again until it is back");
      },
    };
  }
}
