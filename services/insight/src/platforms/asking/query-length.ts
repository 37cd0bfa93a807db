/** Limits of a query that is sent in a URL. */
export interface QueryLimits {
  /** Longest query of the platform. */
  readonly charactersMax: number;
  /** Characters of a URL, of 2,048, that the encoded query may take. */
  readonly encodedMax: number;
}

/**
 * The length of a query in characters of the platform; more if it needs a larger part of its URL, as letters of several
 * bytes do, than of the platform's limit.
 */
export function queryLength(query: string, { charactersMax, encodedMax }: QueryLimits): number {
  const encoded = new URLSearchParams({ q: query }).toString().length - "q=".length;
  return Math.max([...query].length, Math.ceil(encoded * (charactersMax / encodedMax)));
}
