import { addressOf, type Filters, withSingle } from "../../data/filters.js";
import { useAddress } from "../../parts/navigation.js";
import { words } from "../../words/postings.js";
import styles from "./postings.module.css";

/** Orders to choose from: what to sort by, and whether the smallest comes first. */
const ORDERS = ["newest", "oldest", "engagement", "like_count", "comment_count", "share_count", "view_count"] as const;
type Order = (typeof ORDERS)[number];

/** In which order postings are read, in the address. */
export function OrderSelect({ filters }: { readonly filters: Filters }) {
  const { path, parameters, go } = useAddress();
  const { sort = "posted_at", order = "desc", q } = filters;
  const value = sort === "posted_at" ? (order === "asc" ? "oldest" : "newest") : sort;
  const known: readonly string[] = ORDERS;
  // Words are looked for in the order of time only.
  const offered = ORDERS.filter((name) => q === undefined || name === "newest" || name === "oldest");
  const change = (chosen: Order): void => {
    const isTime = chosen === "newest" || chosen === "oldest";
    const sorted = withSingle(parameters, "sort", isTime ? (chosen === "oldest" ? "posted_at" : undefined) : chosen);
    go(addressOf(path, withSingle(sorted, "order", chosen === "oldest" ? "asc" : undefined)));
  };
  return (
    <select
      class={styles["order"]}
      aria-label={words.postings.order}
      title={q === undefined ? undefined : words.postings.orderWithWords}
      value={q === undefined ? value : value === "oldest" ? value : "newest"}
      onChange={(event) => change(event.currentTarget.value as Order)}
    >
      {known.includes(value) ? null : <option value={value}>{words.postings.orders[value] ?? value}</option>}
      {offered.map((name) => (
        <option key={name} value={name}>
          {words.postings.orders[name]}
        </option>
      ))}
    </select>
  );
}
