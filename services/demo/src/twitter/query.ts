import { type Condition, piecesOf, QueryReader, QueryRefused } from "../query/query-reader.js";
import { contains, wordsOf } from "../query/words.js";
import type { DemoPost } from "./post.js";

const PIECES = /\s*(-?"[^"]*"|[a-z_]+:(?:"[^"]*"|\[[^\]]*\])|[()]|-(?=[("])|[^\s()"]+)/gy;

/**
 * Reads a query as X's documentation describes it: a space binds tighter than OR, a group cannot be negated, and something
 * must be asked for that is not excluded.
 */
export function readQuery(text: string, charactersMax: number): Condition<DemoPost> {
  const pieces = piecesOf(text, PIECES, charactersMax);
  const condition = new XQueryReader(pieces).read();
  if (pieces.every((piece) => piece.startsWith("-") || /^[()]$|^OR$/.test(piece))) {
    throw new QueryRefused("A query must have one condition that is not negated.");
  }
  return condition;
}

const OPERATOR = /^(?<name>place|place_country|point_radius):(?<value>.+)$/;
const POINT_RADIUS = /^\[(-?\d+(?:\.\d+)?) (-?\d+(?:\.\d+)?) (\d+(?:\.\d+)?)(km|mi)\]$/;
const KM = { km: 1, mi: 1.609 };
const RADIUS_KM_MAX = 40.3;
const KM_PER_DEGREE = 111;

class XQueryReader extends QueryReader<DemoPost> {
  protected conditionOf(piece: string): Condition<DemoPost> {
    if (piece === "-") throw new QueryRefused("A group cannot be negated.");
    return conditionOf(piece);
  }
}

function conditionOf(piece: string): Condition<DemoPost> {
  if (piece.startsWith("-") && piece.length > 1) {
    const excluded = conditionOf(piece.slice(1));
    return (post) => !excluded(post);
  }
  if (piece === "is:retweet") return ({ kind }) => kind === "retweeted";
  const operator = OPERATOR.exec(piece);
  if (operator?.groups !== undefined) return placeCondition(operator.groups);
  if (/^[a-z_]+:/.test(piece)) throw new QueryRefused(`The operator ${piece} is not known.`);
  if (/^[#@]/.test(piece)) return ({ text }) => signedNames(text).includes(piece.toLowerCase());
  const wanted = wordsOf(piece.replaceAll('"', ""));
  return ({ text }) => contains(wordsOf(text), wanted);
}

function placeCondition({ name = "", value = "" }: Record<string, string>): Condition<DemoPost> {
  if (name === "place_country") {
    if (!/^[A-Z]{2}$/.test(value)) throw new QueryRefused(`The country ${value} is not known.`);
    return ({ place }) => place?.countryCode === value;
  }
  if (name === "place") {
    const wanted = wordsOf(value);
    return ({ place }) => place !== undefined && contains(wordsOf(place.fullName), wanted);
  }
  const [, longitude, latitude, radius, unit] = POINT_RADIUS.exec(value) ?? [];
  const radiusKm = Number(radius) * KM[unit as keyof typeof KM];
  if (!(radiusKm <= RADIUS_KM_MAX)) throw new QueryRefused(`The radius ${value} is not valid.`);
  return ({ place }) => {
    if (place === undefined) return false;
    const [east, north] = [place.longitude - Number(longitude), place.latitude - Number(latitude)];
    const narrowing = Math.cos((Number(latitude) * Math.PI) / 180);
    return Math.hypot(east * narrowing, north) * KM_PER_DEGREE <= radiusKm;
  };
}

function signedNames(text: string): string[] {
  return text.toLowerCase().match(/[#@][\p{L}\p{N}_]+/gu) ?? [];
}
