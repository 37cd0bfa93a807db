const remaining = new Map<string, number>();

/**
 * Arms named points at which this process is killed: `operation.before_publish=2,worker.mid=1` kills it at the second
 * pass of the first point or the first pass of the second. Called once at start, with an empty text outside tests.
 */
export function armFailpoints(spec: string): void {
  remaining.clear();
  for (const entry of spec.split(",").filter(Boolean)) {
    const [name = "", nth = "1"] = entry.split("=");
    remaining.set(name.trim(), Number(nth));
  }
}

/** Marks a point at which a crash must be harmless. Does nothing unless a test armed it. */
export function failpoint(name: string): void {
  const left = remaining.get(name);
  if (left === undefined) return;
  if (left > 1) {
    remaining.set(name, left - 1);
    return;
  }
  process.kill(process.pid, "SIGKILL");
  // The signal is delivered asynchronously; nothing after this line may run before it arrives.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
