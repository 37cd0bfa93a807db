/** How a posting speaks of its subject. */
export type Mood = "delight" | "anger" | "doubt" | "advert";

/** A product or service that does not exist. */
export interface Subject {
  readonly key: "kestrel" | "merlin" | "osprey";
  /** As texts name it. */
  readonly name: string;
  /** The organisation of LinkedIn, page of Facebook and account of Instagram that speak for it. */
  readonly organisation: { readonly id: string; readonly vanityName: string; readonly localizedName: string };
  readonly page: { readonly id: string; readonly username: string; readonly name: string };
  readonly account: { readonly id: string; readonly username: string; readonly name: string };
  readonly subreddit: string;
}

/** What the invented stream is about. */
export const SUBJECTS: readonly [Subject, ...Subject[]] = [
  subject("kestrel", "Kestrel phone", 1, "demo_phones"),
  subject("merlin", "Merlin e-bike", 2, "demo_bikes"),
  subject("osprey", "Osprey tram", 3, "demo_city"),
];

function subject(key: Subject["key"], name: string, number: number, subreddit: string): Subject {
  const title = `${key.charAt(0).toUpperCase()}${key.slice(1)} (invented)`;
  return {
    key,
    name,
    organisation: { id: `551571${number}`, vanityName: `${key}-invented`, localizedName: title },
    page: { id: `10000000000000${number}`, username: `${key}.demo`, name: title },
    account: { id: `1784140000000010${number}`, username: `${key}_demo`, name: title },
    subreddit,
  };
}
