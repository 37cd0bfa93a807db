import { randomUUID } from "node:crypto";
import { type ModelStates, TEXTUAL_ANALYSES, VISUAL_ANALYSES } from "@hourglass/analysis";
import { type Collection, type Logger, repeat, type Stoppable } from "@hourglass/runtime";
import type { AnalyzerReport, ReportedAnalyzer } from "./store.js";

const REPORT_EVERY_MS = 10_000;
/** While models are loaded. */
const REPORT_SOON_MS = 1000;
/** A process that has not reported for so long is dead; clocks of machines may differ by some seconds. */
const FRESH_MS = 45_000;
const FORGOTTEN_MS = 60 * 60_000;

/**
 * What processes without an address of their own say about their analyses, for the process that serves the interface:
 * both share the store, and nothing else.
 */
export class AnalyzerReports {
  constructor(
    private readonly reports: Collection<AnalyzerReport>,
    private readonly now: () => number,
  ) {}

  /** Reports the states of this process until it is stopped. A report that fails is made up for by the next one. */
  start(states: () => ModelStates, log: Logger): Stoppable {
    const id = randomUUID();
    const repetition = repeat(async () => {
      const current = states();
      try {
        await this.report(id, current);
      } catch (error) {
        log.debug({ err: error }, "the states of analyses could not be reported");
      }
      const isLoading = Object.values(current).some(({ state }) => state === "loading");
      return isLoading ? REPORT_SOON_MS : REPORT_EVERY_MS;
    });
    const stop = async (graceMs: number): Promise<void> => {
      await repetition.stop(graceMs);
      await this.reports.delete({ id }).catch(() => undefined);
    };
    return { stop };
  }

  private async report(id: string, states: ModelStates): Promise<void> {
    const reportedAt = this.now();
    await this.reports.put({ id, reportedAt, analyzers: reportedOf(states) });
    await this.reports.delete({ reportedAt: { lt: reportedAt - FORGOTTEN_MS } });
  }

  /**
   * Each analyzer once. One that is missing in any process is missing, because every operation may meet that process; one
   * that any process has loaded is not called loading.
   */
  async list(): Promise<ReportedAnalyzer[]> {
    const reports = await this.reports.find({ reportedAt: { gte: this.now() - FRESH_MS } });
    const found = new Map<string, ReportedAnalyzer>();
    for (const analyzer of reports.flatMap(({ analyzers }) => analyzers)) {
      const other = found.get(analyzer.type);
      if (other === undefined || gravityOf(analyzer) > gravityOf(other)) found.set(analyzer.type, analyzer);
    }
    return [...found.values()];
  }
}

function gravityOf({ state, warning }: ReportedAnalyzer): number {
  if (state === "missing") return 3;
  if (state === "loading") return 0;
  return warning === undefined ? 1 : 2;
}

/** What files need beside the visual analyses. */
const FILE_PARTS = ["reading", "speech", "ffmpeg"];

/** States by type; before its models are loaded, and if they cannot be, a process has one state for all of a kind. */
function reportedOf(states: ModelStates): ReportedAnalyzer[] {
  const types: Readonly<Record<string, readonly string[]>> = {
    models: TEXTUAL_ANALYSES,
    media: [...VISUAL_ANALYSES, ...FILE_PARTS],
  };
  return Object.entries(states).flatMap(([name, state]) => {
    const all = types[name] ?? [name.slice(name.indexOf(":") + 1)];
    return all.map((type) => ({ ...state, type }));
  });
}
