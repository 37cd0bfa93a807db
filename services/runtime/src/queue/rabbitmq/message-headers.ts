import { randomUUID } from "node:crypto";
import type { Message } from "amqplib";

/** Metadata of a dead letter. */
interface DeadLetterHeaders {
  id: string;
  attempts: number;
  reason: string;
  /** ISO 8601. */
  diedAt: string;
}

const ATTEMPTS = "hourglass-attempts";
const REASON = "hourglass-reason";
const DIED_AT = "hourglass-died-at";
/** Limit for a reason: all headers of a message must fit into one frame, and a reason may be of any length. */
const REASON_MAX = 4000;

export type Headers = Record<string, unknown>;

/**
 * Earlier deliveries of the message, counted by the broker: each was put back, or ended with its consumer or connection.
 * Tolerates missing or invalid headers: the message may come from another publisher.
 */
export function redeliveries(message: Message & { fields: { redelivered: boolean } }): number {
  const headers = headersOf(message);
  // RabbitMQ 4.3 moved the count of all deliveries to a separate header.
  const counted = Math.max(count(headers["x-delivery-count"]), count(headers["x-acquired-count"]));
  return Math.max(counted, message.fields.redelivered ? 1 : 0);
}

export function writeDeadLetterHeaders({ attempts, reason, diedAt }: Omit<DeadLetterHeaders, "id">): Headers {
  return { [ATTEMPTS]: attempts, [REASON]: reason.slice(0, REASON_MAX), [DIED_AT]: diedAt };
}

/** Reads a dead letter, including one that was dead-lettered by the broker itself. */
export function readDeadLetterHeaders(message: Message): DeadLetterHeaders {
  const headers = headersOf(message);
  const id: unknown = message.properties.messageId;
  const reason = headers[REASON];
  const diedAt = headers[DIED_AT];
  return {
    id: typeof id === "string" && id !== "" ? id : "nameless",
    attempts: Math.max(1, count(headers[ATTEMPTS])),
    reason: typeof reason === "string" ? reason : "the broker delivered it too often",
    diedAt: typeof diedAt === "string" && !Number.isNaN(Date.parse(diedAt)) ? diedAt : diedByBroker(headers),
  };
}

export function newMessageId(): string {
  return randomUUID();
}

/** When the broker dead-lettered the message; the epoch if unknown. */
function diedByBroker(headers: Headers): string {
  const deaths: unknown = headers["x-death"];
  const last: unknown = Array.isArray(deaths) ? deaths[0] : undefined;
  const time = typeof last === "object" && last !== null && "time" in last ? last.time : undefined;
  const seconds = typeof time === "object" && time !== null && "value" in time ? count(time.value) : 0;
  return new Date(Math.min(seconds * 1000, 8.64e15)).toISOString();
}

function headersOf(message: Message): Headers {
  const headers: unknown = message.properties.headers;
  return typeof headers === "object" && headers !== null ? { ...headers } : {};
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
