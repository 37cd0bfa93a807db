import { describeError } from "../../data/failure.js";
import { deleteInsight, nameOf, setPaused, type Insight } from "../../data/insights.js";
import { useMe } from "../../data/server.js";
import { deleteLater } from "../../parts/deletion.js";
import { toast } from "../../parts/toasts.js";
import { words } from "../../words/words.js";

export interface InsightActions {
  /** Viewers read only. */
  readonly mayChange: boolean;
  readonly isPaused: boolean;
  /** What has ended can neither be paused nor resumed. */
  readonly canPause: boolean;
  /** Pauses or resumes. */
  readonly toggle: () => Promise<void>;
  /** A new insight that begins with the query of this one. */
  readonly copyHref: string;
  /** Deletes it after some seconds, in which that can be undone. */
  readonly remove: () => void;
}

/** What can be done with an insight, in its head and in the list. */
export function useInsightActions(insight: Insight): InsightActions {
  const { data: me } = useMe();
  const { id, status } = insight;
  const isPaused = status === "paused";
  return {
    mayChange: me !== undefined && me.role !== "viewer",
    isPaused,
    canPause: status === "running" || isPaused,
    copyHref: `/insights/new?from=${id}`,
    toggle: async () => {
      try {
        await setPaused(id, !isPaused);
        toast(isPaused ? words.insights.resumed : words.insights.paused);
      } catch (error) {
        toast(describeError(error).text, { isProblem: true });
      }
    },
    remove: () =>
      deleteLater({
        record: `insight/${id}`,
        text: words.insights.removed(nameOf(insight)),
        send: (keepalive) => deleteInsight(id, keepalive),
      }),
  };
}
