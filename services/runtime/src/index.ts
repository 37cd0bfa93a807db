export {
  AppError,
  type AppErrorOptions,
  correctionOf,
  type ErrorKind,
  type FieldViolation,
  toHttpStatus,
  VIOLATIONS_MAX,
} from "./errors/app-error.js";
export { ERROR_CODES, type ErrorCode, EXPLAINED_CODES, type ExplainedCode } from "./errors/error-codes.js";
export { describeFailure } from "./errors/grpc-status.js";
export { counted, giveAtMost, giveOneOf, nearest } from "./errors/sentences.js";
export { createLogger, type Logger } from "./log.js";
export { type Config, namesOf, type Owners, readConfig, variablesOf } from "./config/config.js";
export { PROCESS_VARIABLES, type ProcessConfig } from "./config/process-config.js";
export {
  type ConfigOf,
  defineSettings,
  type OutboundConfig,
  outboundSettings,
  type Settings,
  SHARED_LIMITS,
} from "./config/settings.js";
export { ConfigError, type Values, variable, type Variables } from "./config/variables.js";
export { LoopPace, LoopShare, loopShare, OneByOne } from "./process/event-loop.js";
export { loopDoor } from "./process/loop-door.js";
export { pauseAfter, type RetryPolicy } from "./process/retry-policy.js";
export { RoundRobin } from "./process/round-robin.js";
export { loopWatch, reportLoopStalls } from "./process/loop-watch.js";
export { armFailpoints, failpoint } from "./process/failpoint.js";
export { FairLimit, type Release } from "./process/fair-limit.js";
export { Lifecycle, startRoles, type WorkerRole } from "./process/lifecycle.js";
export { createProcessMetrics, GATEWAY_OPS_PORT, openOpsPort, readVersion } from "./process/ops-server.js";
export {
  Dependencies,
  isServing,
  missingParts,
  type Ping,
  type ReadReadiness,
  statusOf,
  untilAvailable,
} from "./process/readiness.js";
export { repeat, type Repetition, type Stoppable, together } from "./process/repetition.js";
export {
  connectService,
  createReportingDispatcher,
  type Part,
  type RemoteClients,
  remoteClients,
  runPart,
} from "./process/run-part.js";
export { type Foundation, openPort, runProcess } from "./process/run-process.js";
export {
  type MeasuredRequest,
  type Measurements,
  NO_MEASUREMENTS,
  type ObserveSeconds,
  type Reading,
} from "./telemetry/measurements.js";
export { createMetrics, type Metrics } from "./telemetry/metrics.js";
export { inSpan, isTracing, type Span, type SpanAttributes, startSpan, type TraceContext } from "./telemetry/spans.js";
export {
  type ApiKeyIdentity,
  type Author,
  authorOf,
  nameOf,
  toAuthor,
  type Caller,
  callerIdOf,
  requireAccess,
  requirementOf,
  type Role,
  roleOf,
  roleOfKey,
  ROLES,
  type Scope,
  SCOPES,
} from "./auth/access.js";
export { type IssuedLink, SignedLinks } from "./auth/signed-links.js";
export { looksLikeApiKey, makeApiKey, prefixOfApiKey } from "./auth/api-keys.js";
export {
  type ActDetails,
  AUDIT_EVENTS,
  type AuditChange,
  type AuditRecord,
  AuditTrail,
  changesBetween,
  OPERATOR,
} from "./auth/audit-trail.js";
export { createServiceAuthenticator, createTokenAuthenticator } from "./auth/authenticators.js";
export { SERVICE_TOKEN_REFUSED, ServiceTokens } from "./auth/service-tokens.js";
export { TokenVerifier, type VerificationKeys } from "./auth/token-verifier.js";
export {
  isTokenKey,
  KEY_REFRESH_INTERVAL_MS,
  keyExpired,
  PRINCIPAL_FRESH_MS,
  SERVICE_TOKEN_TTL_SECONDS,
  SERVICE_TOKENS,
  TOKEN_ALGORITHM,
  TOKEN_CLOCK_TOLERANCE_SECONDS,
  TOKEN_ISSUER,
  type TokenKind,
  type TokenPayload,
  type TokenTimes,
  unauthenticated,
  USER_TOKENS,
  type UserClaims,
  type UserSession,
} from "./auth/tokens.js";
export {
  canonicalAddress,
  clientNetwork,
  isLoopback,
  type IsTrustedProxy,
  NO_PROXIES,
  readTrustedProxies,
  TRUSTED_PROXIES_FORM,
  type TrustedProxies,
  trustProxies,
} from "./ip-address.js";
export { certificatesOf, type TlsFiles } from "./tls-certificates.js";
export { HttpFailure } from "./outbound/http-attempt.js";
export {
  createHttpClient,
  type HttpAnswer,
  type HttpClient,
  type HttpClientOptions,
  type HttpRequest,
} from "./outbound/http-client.js";
export {
  createUrlFetcher,
  UnreachableUrlError,
  type UrlFetcher,
  type UrlFetcherOptions,
} from "./outbound/url-fetcher.js";
export { type Books, type CopyMark, mustBeWhole, type StoreContents } from "./store/contents.js";
export {
  type Belonging,
  type CollectionDeclaration,
  declared,
  type DeclaredCollection,
  ofCompany,
  ofMark,
  ofParent,
  ofParentMark,
  type ServiceData,
  type SharedData,
} from "./store/declaration.js";
export { mustBeKnown, SCHEMA_VERSIONS, versionIn } from "./store/migrations.js";
export { backUpDatabase } from "./store/sqlite/backup.js";
export { DATABASE_FILE } from "./store/sqlite/sqlite-database.js";
export { openSqliteStore, type SqliteStore } from "./store/sqlite/sqlite-store.js";
export { compactDatabase } from "./store/sqlite/vacuum.js";
export {
  type IdPage,
  type IdPageRequest,
  PAGE_LIMIT_DEFAULT,
  type PageOrder,
  readIdPage,
  readOrderedPage,
  readSelectedIdPage,
  type Selection,
  writeIdCursor,
} from "./store/paging.js";
export { hasMetadata, type Metadata, metadataOf } from "./store/metadata.js";
export { requireRevision, revisionOf } from "./store/revision.js";
export { SharedKey, type StoredKey } from "./store/shared-key.js";
export {
  type Budget,
  type Change,
  checkStep,
  type Collection,
  type CollectionSpec,
  type Condition,
  deleteStep,
  type Document,
  type Filter,
  type FindOptions,
  insertNewStep,
  insertStep,
  isStoreFull,
  type Json,
  type Migration,
  putStep,
  type Step,
  type Store,
  storeFull,
  type Update,
  updateEachStep,
  updateStep,
} from "./store/store.js";
export { blobFolderOf, type Blobs, type ByteRange, contractBlobKey, type ListedBlob } from "./blobs/blobs.js";
export { openFileBlobs } from "./blobs/file-blobs.js";
export { openEmbeddedQueue } from "./queue/embedded-queue.js";
export type { DeadLetter, Delivery, LocalQueue, Outcome, Queue } from "./queue/queue.js";
export { openRabbitQueue } from "./queue/rabbitmq/rabbit-queue.js";
export { rabbitNames } from "./queue/rabbitmq/topology.js";
export { WorkScope } from "./process/work-scope.js";
export { freeOn, makingRoom, RESERVE_BYTES, reserveOf } from "./storage/disk-reserve.js";
export { isDiskFull } from "./storage/disk-space-monitor.js";
export type { Mongo } from "./storage/mongo.js";
export { measureBlobs, measureStorage, startStorageGauges } from "./storage/storage-usage.js";
export { ALL_PARTS, nameOfStore, openMongo, openStorage, type Storage, type WholeStorage } from "./storage/storage.js";
export {
  findByIdempotency,
  IDEMPOTENCY_TTL_MS,
  type Created,
  idempotencyOf,
  isConflict,
  isFresh,
  keyReused,
  madeBefore,
  madeNow,
  winnerOf,
} from "./jobs/idempotency.js";
export { answersOf, type KeptAnswer, KeptAnswers } from "./jobs/kept-answers.js";
export { type EndStatus, hasEnded, JOB_HALT, JOB_INDEXES, type JobRecord, type JobStatus, newJob } from "./jobs/job.js";
export {
  DEFAULT_JOB_POLICY,
  dueFailpoints,
  jobAttributes,
  jobFailpoints,
  type JobKind,
  type JobLanes,
  jobMessage,
  type Lane,
  laneKeyOf,
  logFields,
  queuesOf,
} from "./jobs/job-kind.js";
export type { JobEnd, JobWork, LeasedJob } from "./jobs/job-run.js";
export { Jobs, type JobsConfig, oldestCreation } from "./jobs/jobs.js";
export { LeaseLostError } from "./jobs/lease.js";
export { PostponedError } from "./jobs/retry.js";
export { CHORE_KIND, type Chore, choreKind, type ChoreRecord, choresOf } from "./jobs/chores.js";
export { DueJobs, type DueJobsOptions } from "./jobs/due-jobs.js";
export { type AnyDueKind, type DueKind, dueKind, type DueWork } from "./jobs/due-kind.js";
export {
  claimDue,
  DUE_INDEX,
  DueClaim,
  type DueRecord,
  ENDED_WELL,
  type Setback,
  type SetbackReason,
  streamDue,
} from "./jobs/due-record.js";
export {
  requireService,
  asksToWait,
  callersOf,
  createInProcessClient,
  Dispatcher,
  IncomingCall,
  isOpen,
  requireProduct,
} from "./rpc/dispatch.js";
export {
  type Admission,
  type Authenticate,
  type AuthenticatedContext,
  type AuthenticateService,
  byKind,
  type CallContext,
  type CallOptions,
  type Client,
  type Handlers,
  type Principal,
  type Route,
  route,
  type Rules,
  startingRoutes,
  authorOfCall,
  callerIdOfCall,
} from "./rpc/service.js";
export { createGrpcClient, createGrpcServer } from "./rpc/grpc.js";
export type { HoldMessages, MessageHold } from "./rpc/grpc/handlers.js";
export type { GrpcServer } from "./rpc/grpc/server.js";
export {
  boundsOf,
  decodeMessage,
  itemsMaxOf,
  lengthMaxOf,
  memoryOf,
  MESSAGE_VALUES_MAX,
  tallyBinary,
  tallyJson,
  textLengthOf,
  tooManyValues,
} from "./rpc/validation/message-size.js";
export { enumSpellings, RULES_WITH_SENTENCES, spellingsEverywhere } from "./rpc/validation/rule-sentences.js";
export { findViolations } from "./rpc/validation/violations.js";
