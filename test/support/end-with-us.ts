const ends = new Set<() => void>();

/** Calls `end` when this process exits or is terminated, so that an aborted run leaves no server behind. */
export function endWithUs(end: () => void): void {
  if (ends.size === 0) {
    process.once("exit", endAll);
    process.once("SIGTERM", () => {
      endAll();
      process.kill(process.pid, "SIGTERM"); // no listener is left, so this ends the process
    });
  }
  ends.add(end);
}

function endAll(): void {
  for (const end of ends) end();
}
