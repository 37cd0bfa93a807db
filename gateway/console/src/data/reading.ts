const stops = new WeakMap<object, () => void>();

/** Says how the reading of a result is stopped. */
export function canBeStopped(result: object, stop: () => void): void {
  stops.set(result, stop);
}

/** Stops reading what is not there yet; what is not being read stays as it is. */
export function stopReading(result: object): void {
  stops.get(result)?.();
}
