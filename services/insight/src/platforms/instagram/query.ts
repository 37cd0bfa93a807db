import type { Hashtag, HashtagPlan } from "../hashtags.js";
import type { Source } from "../sources.js";

/** What is read of Instagram. */
export type InstagramSource = Source &
  ({ readonly kind: "account"; readonly name: string } | { readonly kind: "hashtag"; readonly hashtag: Hashtag });

/** The accounts of the server, and the hashtags of a search. */
export function sourcesOf({ hashtags }: HashtagPlan, accounts: readonly string[]): InstagramSource[] {
  return [
    ...accounts.map((name) => ({
      ...{ kind: "account" as const, key: `account ${name}`, label: `The account ${name}` },
      ...{ name, isOfServer: true },
    })),
    ...hashtags.map((hashtag) => ({
      ...{ kind: "hashtag" as const, key: `hashtag ${hashtag.name}`, label: `The hashtag #${hashtag.name}` },
      // The permission for hashtags is the operator's, even if a search names them.
      ...{ hashtag, isOfServer: true },
    })),
  ];
}

/** Sentences about what of a query Instagram is not asked for. */
export function warningsOf({ unsent, left }: HashtagPlan, accounts: readonly string[]): string[] {
  const elsewhere = accounts.length === 0 ? "nothing is collected for it" : "only followed accounts are read for it";
  return [
    ...unsent.map((term) => `Instagram has no hashtag for ${term}, so ${elsewhere}.`),
    ...(left.length === 0 ? [] : [`An insight may use 10 hashtags. It is not asked for #${left.join(", #")}.`]),
  ];
}

/** The name of an account in one spelling; undefined if it is none. */
export function accountNameOf(text: string): string | undefined {
  const name = text.replace(/^https:\/\/(www\.)?instagram\.com\//i, "").replace(/^@|\/$/g, "");
  return /^[A-Za-z0-9_][A-Za-z0-9_.]{0,29}$/.test(name) ? name.toLowerCase() : undefined;
}
