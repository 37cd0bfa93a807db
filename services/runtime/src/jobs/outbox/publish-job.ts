import { failpoint } from "../../process/failpoint.js";
import type { Queue } from "../../queue/queue.js";
import { inSpan, type TraceContext } from "../../telemetry/spans.js";
import { jobFailpoint } from "../record/job-failpoints.js";
import type { JobMessage } from "../record/job-message.js";
import { jobAttributes, messagingAttributes } from "../record/job-spans.js";

export interface Publication {
  id: number;
  /** Name of the queue. */
  to: string;
  /** Minimum delay before delivery. */
  delayMs?: number;
  /** The trace of the message; null: none. Absent: the active trace. */
  trace?: TraceContext | null;
}

/** Publishes a job's message; resolves once it is queued. The message is only a hint and may be published twice. */
export function publishJob(
  { kind, queue }: { kind: { name: string; message: JobMessage }; queue: Queue },
  { id, to, delayMs, trace }: Publication,
): Promise<void> {
  const span = {
    name: `send ${to}`,
    kind: "producer",
    attributes: { ...messagingAttributes(to, "send"), ...jobAttributes(kind, id) },
    ...(trace === undefined ? {} : { parent: trace }),
  } as const;
  return inSpan(span, async () => {
    const body = kind.message.encode(id);
    failpoint(jobFailpoint(kind.name, "before_publish"));
    const confirmed = queue.publish(to, body, delayMs === undefined ? {} : { delayMs });
    failpoint(jobFailpoint(kind.name, "before_confirm"));
    await confirmed;
    failpoint(jobFailpoint(kind.name, "after_publish"));
  });
}
