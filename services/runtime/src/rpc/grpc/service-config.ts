import { type DescMethod, type DescService } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel as Level } from "@bufbuild/protobuf/wkt";

/**
 * Tries again what failed before or while a replica took it, twice at most, within the deadline of the call. The first
 * wait is 50 ms give or take a fifth, the second three times that. Nothing is tried again once an answer has begun.
 */
const RETRY_POLICY = {
  maxAttempts: 3,
  initialBackoff: "0.05s",
  maxBackoff: "1s",
  backoffMultiplier: 3,
  retryableStatusCodes: ["UNAVAILABLE"],
};

/**
 * The budget of all calls to one peer, so that a service in trouble is not asked three times as often: a failed attempt
 * costs one token, a call that succeeds gives a tenth back, and nothing is tried again while half of them are gone. So
 * a replica may die with 200 calls in work, but in the long run one call in ten is tried again at most.
 */
const RETRY_BUDGET = { maxTokens: 400, tokenRatio: 0.1 };

/** How calls of the service are spread over its replicas, and which are tried again, as grpc-js wants to be told. */
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

/** As its `idempotency_level` in proto/ says. */
function mayRunTwice({ idempotency }: DescMethod): boolean {
  return idempotency === Level.NO_SIDE_EFFECTS || idempotency === Level.IDEMPOTENT;
}
