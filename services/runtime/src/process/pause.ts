/** Waits; returns at once when the signal is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  let wake = (): void => undefined;
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    wake = resolve;
    timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", wake, { once: true });
  });
  clearTimeout(timer);
  signal.removeEventListener("abort", wake);
}
