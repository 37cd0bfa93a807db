/** A queue in which the keys take turns: however much one of them puts in, the others come to theirs. */
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

  /** Takes out the oldest item of the key whose turn it is. */
  shift(): T | undefined {
    for (const [key, lane] of this.lanes) {
      const item = lane.shift();
      this.lanes.delete(key); // back to the end of the line, or out of it
      if (lane.length > 0) this.lanes.set(key, lane);
      return item;
    }
    return undefined;
  }
}
