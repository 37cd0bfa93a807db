import {
  MongoAPIError,
  MongoBulkWriteError,
  MongoError,
  MongoInvalidArgumentError,
  MongoParseError,
  MongoServerError,
} from "mongodb";
import { AppError } from "../../errors/app-error.js";
import { storeFull, storeUnavailable } from "../store.js";

const DUPLICATE_KEY = 11_000;
/** Codes for a document over 16 MB in an insert, a put and a change. */
const TOO_LARGE = new Set([10_334, 17_419, 17_420]);
const OUT_OF_DISK_SPACE = 14_031;
/** Codes for a transaction on a server that is not a member of a replica set. */
const NO_REPLICA_SET = new Set([20, 263]);
/**
 * Error codes for the state of the server, its members, its disk or our permissions, as opposed to errors in our
 * commands. Names are from the server's list of error codes.
 */
const OUTAGE = new Set([
  ...[6, 7, 89, 9001], // HostUnreachable, HostNotFound, NetworkTimeout, SocketException
  ...[91, 189, 10_107, 10_058, 11_600, 11_602, 13_435, 13_436], // shutting down, stepping down, not primary
  ...[24, 46, 50, 112, 262, 11_601, 64, 100, 134], // locks, time limits, WriteConflict, Interrupted, write concerns
  ...[43, 237, 251, 225, 215], // lost cursors and transactions, DatabaseDropPending
  ...[13, 18, 8000], // Unauthorized, AuthenticationFailed
  ...[39, 133, 202, 365], // FileStreamFailed, no primary, too many requests
]);
/** Node's error codes for a lost socket, which the driver does not always wrap. */
const SOCKET_FAILURES = new Set([
  ...["EPIPE", "ECONNRESET", "ECONNREFUSED", "ECONNABORTED", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"],
  ...["ERR_STREAM_DESTROYED", "ERR_STREAM_WRITE_AFTER_END"],
]);
const RETRYABLE = ["RetryableWriteError", "TransientTransactionError", "UnknownTransactionCommitResult"];

/** True if a document with the same id exists, as opposed to a conflict in another unique index. */
export function isIdTaken(error: unknown): boolean {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) return false;
  const pattern: unknown = error["keyPattern"];
  return typeof pattern === "object" && pattern !== null && "_id" in pattern;
}

/** True if the id or a unique value of a document is taken. */
export function isTaken(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** Indexes of the documents of an unordered bulk insert that were refused as taken; rethrows any other failure. */
export function takenIn(error: unknown): Set<number> {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError() !== undefined) throw error;
  const refused = error.result.getWriteErrors();
  if (refused.length === 0 || refused.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
  return new Set(refused.map(({ index }) => index));
}

/** Maps driver errors to the failures of the ports; other errors, including our own bugs, are returned unchanged. */
export function toMongoFailure(error: unknown): unknown {
  // The driver's encoder has a buffer for the largest document and throws this error when it overflows.
  if (error instanceof RangeError && "code" in error && error.code === "ERR_OUT_OF_RANGE") return tooLarge(error);
  if (isSocketFailure(error)) return storeUnavailable(error);
  if (!(error instanceof MongoError)) return error;
  // A bulk write without a response from the server carries the underlying error instead.
  if (error instanceof MongoServerError && error.errorResponse instanceof MongoError) {
    return toMongoFailure(error.errorResponse);
  }
  const code = typeof error.code === "number" ? error.code : 0;
  if (code === DUPLICATE_KEY) return new AppError("conflict", "This exists already.", { cause: error });
  if (TOO_LARGE.has(code)) return tooLarge(error);
  if (code === OUT_OF_DISK_SPACE) return storeFull(error);
  if (NO_REPLICA_SET.has(code)) return noReplicaSet(error);
  return isOutage(error, code) ? storeUnavailable(error) : error;
}

function isSocketFailure(error: unknown): boolean {
  return error instanceof Error && "code" in error && SOCKET_FAILURES.has(String(error.code));
}

function isOutage(error: MongoError, code: number): boolean {
  if (OUTAGE.has(code) || RETRYABLE.some((label) => error.hasErrorLabel(label))) return true;
  if (error instanceof MongoServerError || error instanceof MongoInvalidArgumentError) return false;
  if (error instanceof MongoParseError) return false;
  // Among the driver's API errors, those of a closed client are not bugs in our calls.
  if (error instanceof MongoAPIError) return /NotConnected|Closed|ExpiredSession/.test(error.name);
  return true; // no connection, no server, or a timeout
}

function tooLarge(cause: unknown): AppError {
  return new AppError(
    "too-large",
    "This is more than the 16 MB that the data store keeps in one document. Send less at once.",
    {
      cause,
    },
  );
}

function noReplicaSet(cause: unknown): AppError {
  const message = "The data store cannot do transactions: run MongoDB as a replica set, be it of one member.";
  return new AppError("unavailable", message, { cause });
}
