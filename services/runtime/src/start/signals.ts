import type { Logger } from "../log/logger.js";
import type { Lifecycle } from "../process/lifecycle.js";

/** Time limit of a drain; about as long as orchestrators and users wait. */
const GRACE_MS = 9_000;
/** Under `npm start`, one Ctrl-C arrives twice: from the terminal and from npm. */
const SAME_SIGNAL_MS = 1000;

/**
 * Stops the process gracefully on SIGTERM and SIGINT, with exit code 0. A second signal, or a drain that hangs, ends it
 * at once with exit code 1. So does an uncaught error: the state is unknown, and accepted work is stored.
 */
export function stopOnSignals(lifecycle: Lifecycle, log: Logger): void {
  let askedAt: number | undefined;
  const stop = (signal: NodeJS.Signals) => {
    if (askedAt !== undefined) {
      if (performance.now() - askedAt > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    askedAt = performance.now();
    log.info({ signal }, "stopping");
    setTimeout(() => process.exit(1), GRACE_MS + 500).unref();
    void lifecycle.stop(GRACE_MS).then(() => {
      log.info("stopped");
      process.exit(0);
    });
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  const crash = (error: unknown) => {
    log.fatal({ err: error }, "unexpected error, the process ends");
    process.exit(1);
  };
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", crash);
}
