const STEPS = ["before_insert", "after_insert", "before_publish", "before_confirm", "after_publish"] as const;
const WORKER_STEPS = ["after_delivery", "after_lease", "before_done", "before_ack"] as const;

/** A step of the process that creates jobs and publishes them. */
export type JobStep = (typeof STEPS)[number];
/** A step of a worker. */
export type WorkerStep = (typeof WORKER_STEPS)[number];

export function jobFailpoint(name: string, step: JobStep): string {
  return `${name}.${step}`;
}

export function workerFailpoint(name: string, step: WorkerStep): string {
  return `worker.${name}.${step}`;
}

/** The failpoints of a kind of job. A crash at any of them must neither lose a job nor run it twice. */
export function jobFailpoints(name: string): string[] {
  return [...STEPS.map((step) => jobFailpoint(name, step)), ...WORKER_STEPS.map((step) => workerFailpoint(name, step))];
}
