import { type DescMethod, type DescService } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel as Level } from "@bufbuild/protobuf/wkt";

/**
 * Retries calls that failed before or while a replica accepted them, at most twice, within the deadline of the call.
 * The first delay is 50 ms ± 20 %, the second three times that. No call is retried once its response has begun.
 */
const RETRY_POLICY = {
  maxAttempts: 3,
  initialBackoff: "0.05s",
  maxBackoff: "1s",
  backoffMultiplier: 3,
  retryableStatusCodes: ["UNAVAILABLE"],
};

/**
 * Retry budget of all calls to one peer, so that an overloaded service does not get three times the load: a failed
 * attempt costs one token, a successful call returns a tenth, and nothing is retried while half of the tokens are gone.
 * A replica may die with 200 calls in progress, but in the long run at most one call in ten is retried.
 */
const RETRY_BUDGET = { maxTokens: 400, tokenRatio: 0.1 };

/** The grpc-js service config: load balancing over the replicas, and the methods that are retried. */
export function serviceConfig(service: DescService): string {
  const names = service.methods
    .filter(mayRunTwice)
    .map((method) => ({ service: service.typeName, method: method.name }));
  return JSON.stringify({
    loadBalancingConfig: [{ round_robin: {} }],
    methodConfig: names.length === 0 ? [] : [{ name: names, retryPolicy: RETRY_POLICY }],
    retryThrottling: RETRY_BUDGET,
  });
}

/** Whether the method's `idempotency_level` in proto/ allows a retry. */
function mayRunTwice({ idempotency }: DescMethod): boolean {
  return idempotency === Level.NO_SIDE_EFFECTS || idempotency === Level.IDEMPOTENT;
}
