import type { Logger } from "../../log/logger.js";

export interface PresenceOptions {
  /** Host and port. */
  broker: string;
  log: Logger;
}

/** Says once when the broker is away and once when it is back, whatever number of connections notice. */
export class Presence {
  private readonly down = new Set<string>();
  private away = false;

  constructor(private readonly options: PresenceOptions) {}

  /** What the connection called `role` reports to. */
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
