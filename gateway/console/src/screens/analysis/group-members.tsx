import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Analysis } from "../../data/analyses.js";
import { useAddress } from "../../parts/navigation.js";
import { analysisWords } from "../../words/analyses.js";
import { number } from "../../words/numbers.js";
import styles from "./analysis.module.css";
import { membersOf } from "./groups.js";

/** So many are listed at once. */
const SHOWN_MAX = 20;

/** What was analyzed together, for results that are of several contents. Contents are undefined until they are read. */
interface Grouped extends Pick<Analysis["query"], "contents_groups"> {
  readonly contents: readonly (string | number | undefined)[];
}
export const Query = createContext<Grouped | undefined>(undefined);

/** The contents that a result is about, with links to them. */
export function GroupMembers({ groupIndex }: { readonly groupIndex: number | null }) {
  const { parameters, hrefWith } = useAddress();
  const query = useContext(Query);
  if (query === undefined) return null;
  const { contents, contents_groups: groups } = query;
  const w = analysisWords.result.personality;
  const members = membersOf(groups, groupIndex, contents.length);
  const isAll = groups === null || groupIndex === null;
  const shown = isAll ? [] : members.slice(0, SHOWN_MAX);
  return (
    <div class={styles["members"]}>
      <span>{isAll ? w.together(members.length) : w.groupOf(groupIndex + 1, groups.length, members.length)}</span>
      {shown.map((index) => (
        <a
          key={index}
          href={hrefWith({ content: String(index + 1) })}
          aria-current={parameters.get("content") === String(index + 1) ? "true" : undefined}
          title={String(contents[index] ?? "").slice(0, 100)}
        >
          {number(index + 1)}
        </a>
      ))}
      {members.length > shown.length && !isAll ? <span>{w.moreMembers(members.length - shown.length)}</span> : null}
    </div>
  );
}
