/** The message of the root cause of a failure: what a log line says of an outage, for which a stack is useless. */
export function rootReason(error: Error): string {
  return error.cause instanceof Error ? rootReason(error.cause) : error.message;
}
