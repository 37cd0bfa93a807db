import type { Logger } from "../log/logger.js";
import type { Authenticate, AuthenticateService } from "../rpc/context.js";
import { FULL_CODES } from "../disk/room-watch.js";
import { Dispatcher } from "../rpc/dispatch.js";
import type { Metrics } from "../telemetry/metrics.js";

export interface Reporting {
  authenticate: Authenticate;
  /** Required if a method accepts service tokens. */
  authenticateService?: AuthenticateService;
  log: Logger;
  metrics: Metrics;
  /** Whether another dispatcher serves the calls, and counts what it refuses. Default: false. */
  forwards?: boolean;
}

/** A dispatcher that counts every call and logs server failures. */
export function createReportingDispatcher({
  log,
  metrics,
  forwards = false,
  ...authenticators
}: Reporting): Dispatcher {
  return new Dispatcher({
    ...authenticators,
    reportFailure: (failure, method, call) => {
      const about = { err: failure.cause, rpc: method.toString(), request_id: call.requestId, caller: call.service };
      log.error(about, "unexpected failure");
    },
    observeCall: ({ method, outcome, code = "", waited, durationMs }) => {
      const called = { service: method.parent.typeName, method: method.name, code: outcome };
      metrics.observeRpc({ ...called, waited, seconds: durationMs / 1000 });
      if (FULL_CODES.has(code) && !forwards) metrics.countRequestShed(code);
    },
  });
}
