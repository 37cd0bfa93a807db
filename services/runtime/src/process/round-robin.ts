/** A queue in which the keys take turns, however many items one of them adds. */
export class RoundRobin<K, T> {
  private readonly lanes = new Map<K, T[]>();

  get isEmpty(): boolean {
    return this.lanes.size === 0;
  }

  push(key: K, item: T): void {
    const lane = this.lanes.get(key);
    if (lane === undefined) this.lanes.set(key, [item]);
    else lane.push(item);
  }

  /** Removes the oldest item of the key whose turn it is. */
  shift(): T | undefined {
    for (const [key, lane] of this.lanes) {
      const item = lane.shift();
      this.lanes.delete(key); // moves to the end of the queue, or out of it
      if (lane.length > 0) this.lanes.set(key, lane);
      return item;
    }
    return undefined;
  }
}
