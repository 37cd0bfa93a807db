/** Google begins a new day at midnight in California. */
const DAY = new Intl.DateTimeFormat("sv-SE", { timeZone: "America/Los_Angeles" });

/** Counts what a project used on a day. A request beyond the limit is not counted here, although Google may. */
export class DailyQuota {
  used = 0;
  private day = "";

  constructor(
    public limit: number,
    private readonly now: () => number,
  ) {}

  /** Uses a unit; false if none is left. */
  take(): boolean {
    const day = DAY.format(this.now());
    if (day !== this.day) [this.day, this.used] = [day, 0];
    if (this.used >= this.limit) return false;
    this.used += 1;
    return true;
  }
}
