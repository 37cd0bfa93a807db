import type { Logger } from "../log/logger.js";
import type { Authenticate } from "../rpc/context.js";
import { Dispatcher } from "../rpc/dispatch.js";
import type { Metrics } from "../telemetry/metrics.js";

export interface Reporting {
  authenticate: Authenticate;
  log: Logger;
  metrics: Metrics;
}

/** A dispatcher that counts every call and logs those that failed by our fault. */
export function createReportingDispatcher({ authenticate, log, metrics }: Reporting): Dispatcher {
  return new Dispatcher({
    authenticate,
    reportFailure: (failure, method, call) => {
      log.error({ err: failure.cause, rpc: method.toString(), request_id: call.requestId }, "unexpected failure");
    },
    observeCall: (method, code, durationMs) => {
      metrics.observeRpc({ service: method.parent.typeName, method: method.name, code, seconds: durationMs / 1000 });
    },
  });
}
