export * from "./address/ip-address.js";
export {
  NO_PROXIES,
  readTrustedProxies,
  TRUSTED_PROXIES_FORM,
  trustProxies,
  type IsTrustedProxy,
  type TrustedProxies,
} from "./address/trusted-proxies.js";
export * from "./errors/app-error.js";
export * from "./errors/grpc-status.js";
export * from "./errors/http-status.js";
export { counted, giveAtLeast, giveAtMost, giveOneOf, nearest } from "./errors/sentences.js";
export * from "./store/store.js";
export * from "./store/steps.js";
export type { Books, CopyMark, StoreContents } from "./store/contents.js";
export * from "./store/declaration.js";
export type { CollectionUsage, StoreUsage } from "./store/usage.js";
export { compactEmbeddedDatabase, type Compacted, type CompactOptions } from "./store/embedded/compact.js";
export { mustBeWhole } from "./store/contents.js";
export { readIdCursor, writeIdCursor } from "./store/id-cursor.js";
export { SharedKey, type StoredKey } from "./store/shared-key.js";
export { PAGE_LIMIT_DEFAULT, readIdPage, type IdPage, type IdPageRequest } from "./store/id-page.js";
export { isStoreFull, storeFull } from "./store/store-full.js";
export { openEmbeddedStore, type EmbeddedStore, type EmbeddedStoreOptions } from "./store/embedded/store.js";
export { backUpEmbeddedDatabase, type EmbeddedBackupOptions } from "./store/embedded/backup.js";
export { openMongo, type Mongo, type MongoOptions } from "./storage/open-mongo.js";
export * from "./queue/queue.js";
export { addQueueGauges } from "./queue/queue-gauges.js";
export { subscribe, type SubscriptionOptions } from "./queue/subscription.js";
export * from "./queue/embedded/queue.js";
export { openRabbitQueue, type RabbitQueueOptions } from "./queue/rabbitmq/queue.js";
export { rabbitNames, type RabbitNames } from "./queue/rabbitmq/topology.js";
export * from "./blob/blobs.js";
export { blobFolderOf, contractBlobKey } from "./blob/contract-key.js";
export { isDiskFull } from "./disk/disk-full.js";
export * from "./blob/file-blobs.js";
export * from "./outbound/unreachable-url-error.js";
export * from "./outbound/http-client.js";
export * from "./outbound/http-failure.js";
export * from "./outbound/url-fetcher.js";
export * from "./rpc/context.js";
export * from "./rpc/service.js";
export * from "./rpc/dispatch.js";
export * from "./rpc/in-process.js";
export { byKind, type KindCases } from "./rpc/method-kind.js";
export { asksToWait } from "./rpc/asks-to-wait.js";
export { callersOf, isOpen } from "./rpc/callers.js";
export * from "./rpc/starting-routes.js";
export * from "./rpc/grpc.js";
export { enumSpellings, spellingsEverywhere } from "./rpc/validation/enum-spelling.js";
export { itemsMaxOf, lengthMaxOf } from "./rpc/validation/field-limits.js";
export { decodeMessage } from "./rpc/validation/decode-message.js";
export {
  boundsOf,
  memoryOf,
  MESSAGE_VALUES_MAX,
  tallyBinary,
  tallyJson,
  textLengthOf,
  tooManyValues,
} from "./rpc/validation/message-tally.js";
export { findViolations } from "./rpc/validation/find-violations.js";
export { ID_NEEDED, REQUIRED, RULES_WITH_SENTENCES } from "./rpc/validation/rule-sentences.js";
export { namesOf, readConfig, variablesOf, type Config, type Owners } from "./config/config.js";
export { unknownVariables, type UnknownVariable } from "./config/unknown-variables.js";
export { ConfigError } from "./config/config-error.js";
export { SHARED_LIMITS } from "./config/limits.js";
export { outboundSettings, type OutboundConfig } from "./config/outbound-settings.js";
export { PROCESS_VARIABLES, type ProcessConfig, type TlsConfig } from "./config/process-config.js";
export { defineSettings, type ConfigOf, type Settings } from "./config/settings.js";
export type { Values, Variables } from "./config/variables.js";
export { variable } from "./config/variable.js";
export * from "./log/logger.js";
export { Jobs, openJobs, type JobDraft, type JobsConfig, type JobsDeps } from "./jobs/jobs.js";
export * from "./jobs/admission/idempotency.js";
export { publishJob, type Publication } from "./jobs/outbox/publish-job.js";
export { turnsOf } from "./jobs/outbox/fair-order.js";
export { jobFailpoints } from "./jobs/record/job-failpoints.js";
export {
  lineOf,
  logFields,
  type JobKind,
  type JobLanes,
  type JobSentences,
  type Lane,
} from "./jobs/record/job-kind.js";
export { jobMessage, queuesOf, type JobMessage } from "./jobs/record/job-message.js";
export { DEFAULT_JOB_POLICY, type JobPolicy } from "./jobs/record/job-policy.js";
export * from "./jobs/record/job-record.js";
export { jobAttributes } from "./jobs/record/job-spans.js";
export * from "./jobs/schedule/due-records.js";
export type { DueOrder } from "./jobs/schedule/due-line.js";
export { startSchedule, type DueWork, type ScheduleDeps } from "./jobs/schedule/schedule.js";
export type { JobEnd, JobWork } from "./jobs/worker/job-work.js";
export { LeaseLostError, type Held } from "./jobs/worker/lease.js";
export { PostponedError, type Postponement } from "./jobs/worker/postponed-error.js";
export * from "./process/failpoint.js";
export * from "./process/lifecycle.js";
export * from "./start/signals.js";
export * from "./process/until-available.js";
export * from "./process/readiness.js";
export * from "./start/open-port.js";
export { repeat, type Repetition, type Stoppable } from "./process/repetition.js";
export { LoopPace } from "./process/loop-pace.js";
export { LoopShare, loopShare } from "./process/loop-share.js";
export { FairLimit, type FairLimitOptions, type Owner, type Release } from "./process/fair-limit.js";
export * from "./start/ops-port.js";
export { createProcessMetrics } from "./start/process-metrics.js";
export * from "./start/ops-server.js";
export * from "./start/run-process.js";
export * from "./start/reporting-dispatcher.js";
export * from "./start/remote-clients.js";
export * from "./start/run-part.js";
export { startRoles, type RoleSelection, type WorkerRole } from "./process/worker-role.js";
export * from "./storage/open-storage.js";
export * from "./telemetry/measurements.js";
export * from "./telemetry/metrics.js";
export * from "./telemetry/spans.js";
export { DiskReserve, makingRoom } from "./disk/reserve.js";
export { freeOn } from "./disk/free-on.js";
export { measureStorage } from "./start/measure-storage.js";
export {
  measureBlobs,
  startStorageGauges,
  type FolderUsage,
  type StorageGaugesDeps,
} from "./storage/storage-gauges.js";
export * from "./telemetry/tracing.js";
export * from "./tokens/token.js";
export * from "./tokens/token-verifier.js";
export { isTokenKey } from "./tokens/public-key.js";
export * from "./auth/principal-cache.js";
export * from "./auth/principal-freshness.js";
export * from "./auth/token-authenticator.js";
export type { ServiceClaims, TokenKind, TokenPayload, TokenTimes, UserClaims } from "./tokens/token-kinds.js";
export { USER_TOKENS, SERVICE_TOKENS, SERVICE_TOKEN_TTL_SECONDS } from "./tokens/token-kinds.js";
export * from "./auth/service-authenticator.js";
export * from "./auth/service-tokens.js";
