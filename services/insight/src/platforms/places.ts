/** A country as a whole. */
interface CountryPlace {
  readonly kind: "country";
  /** For people, such as `France`. */
  readonly label: string;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly countryCode: string;
}

/** A city, or the middle of the area of a US zip code. */
export interface PointPlace {
  readonly kind: "city" | "zip";
  /** For people, such as `Portland, Oregon, US` or `US zip code 97201`. */
  readonly label: string;
  /** The city alone, such as `Portland`, or the zip code. */
  readonly name: string;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly countryCode: string;
  /** In degrees; north is positive. */
  readonly latitude: number;
  /** In degrees; east is positive. */
  readonly longitude: number;
  /** People of the city; 0 for a zip code. */
  readonly population: number;
}

/** A place that the location of a search names. */
export type Place = CountryPlace | PointPlace;

/** What the location of a search means. */
export interface SearchPlaces {
  /** A posting from any of them is wanted; none: everywhere. */
  readonly known: readonly Place[];
  /** A sentence for each part of the location that is not clear. */
  readonly unknown: readonly string[];
}

/** The places of a search without a location. */
export const EVERYWHERE: SearchPlaces = { known: [], unknown: [] };
