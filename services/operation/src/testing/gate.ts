/** Blocks callers until it is opened. */
export class Gate {
  open: () => void = () => undefined;
  private arrive: () => void = () => undefined;
  /** Resolves when the first caller waits at the gate. */
  readonly reached = new Promise<void>((resolve) => (this.arrive = resolve));
  private readonly opened = new Promise<void>((resolve) => (this.open = resolve));

  pass(): Promise<void> {
    this.arrive();
    return this.opened;
  }
}
