import { type Entity, listsOf } from "../../text/gazetteers.js";
import type { Token } from "../../text/tokens.js";
import { isBrand } from "./brand-names.js";
import { has } from "./entity-rules.js";

/** `V15`, `1000XM5`, `F`: a piece of a model's number; `U21` is a team. */
const PIECE = /^(?=.*[\p{Lu}\p{N}])[\p{L}\p{N}]{1,10}$/u;
const TEAM = /^U-?\d\d$/;
/** A letter and digits, on which one travels: `the M6`. */
const ROAD = /^(?:[AMBEI]|US|SR)-?\d{1,3}$/;
const BEFORE_ROAD = new Set("on along off via from up down near onto join leaving".split(" "));

/** Keeps the number of a model whole: `Sony WH-1000XM5`, `Dyson V15`; and tells roads from products. */
export function withModel(tokens: readonly Token[], entity: Entity): Entity {
  if (isRoad(tokens, entity)) return { ...entity, type: "FAC" };
  if (isCar(tokens, entity)) return { ...entity, type: "PRODUCT" };
  if (entity.type !== "PRODUCT" && entity.type !== "ORG") return entity;
  const last = afterHyphens(tokens, entity.last);
  if (last > entity.last)
    return { ...entity, last, type: hasDigit(tokens, entity.last + 1, last) ? "PRODUCT" : entity.type };
  return entity.type === "ORG" ? withNumber(tokens, entity) : withVariant(tokens, entity);
}

const VARIANTS = new Set("Pro Max Ultra Plus Mini mini Air SE Lite FE XL Ti XT Slim Fold Flip Neo".split(" "));

/** `Galaxy S24` `Ultra`: only behind a number, which makes it a model. */
function withVariant(tokens: readonly Token[], entity: Entity): Entity {
  let { last } = entity;
  if (!hasDigit(tokens, entity.first, last)) return entity;
  while (VARIANTS.has(tokens[last + 1]?.text ?? "") && tokens[last + 1]?.newLine === false) last++;
  return { ...entity, last };
}

/** A brand with the number of its model after it is the model: `Samsung` `S23`. */
function withNumber(tokens: readonly Token[], entity: Entity): Entity {
  const { first, last } = entity;
  const next = tokens[last + 1];
  if (first !== last || next === undefined || !next.spaced || next.newLine || TEAM.test(next.text)) return entity;
  if (!has(listsOf(tokens[first]?.lower ?? ""), "organizations")) return entity;
  if (isSeries(tokens, last + 1) && isBrand(tokens[first]?.lower ?? ""))
    return { ...entity, last: last + 1, type: "PRODUCT" };
  const end = afterHyphens(tokens, last + 1);
  const isCode = /^\p{Lu}/u.test(next.text) && PIECE.test(next.text) && hasDigit(tokens, last + 1, end);
  return isCode ? { ...entity, last: end, type: "PRODUCT" } : entity;
}

/** `5800` behind `Nokia`: three or four digits that are no year, and count nothing. */
function isSeries(tokens: readonly Token[], at: number): boolean {
  const digits = tokens[at]?.text ?? "";
  const pos = tokens[at + 1]?.pos;
  return (
    /^\d{3,4}$/.test(digits) && !/^(?:19|20)\d\d$/.test(digits) && pos !== "NOUN" && pos !== "ADJ" && pos !== "PROPN"
  );
}

/** The index after which no hyphen joins further pieces: `WH` `-` `1000XM5`. */
function afterHyphens(tokens: readonly Token[], last: number): number {
  let end = last;
  // The span that was found may end with the hyphen.
  if (tokens[end]?.text === "-" && isPiece(tokens[end + 1])) end++;
  while (tokens[end + 1]?.text === "-" && tokens[end + 1]?.spaced === false && isPiece(tokens[end + 2])) {
    if (!/\p{N}|^\p{Lu}+$/u.test((tokens[end]?.text ?? "") + (tokens[end + 2]?.text ?? ""))) break;
    end += 2;
  }
  return end > last && hasDigit(tokens, last, end) ? end : last;
}

function isPiece(token: Token | undefined): boolean {
  return token !== undefined && !token.spaced && PIECE.test(token.text) && !/^\p{Ll}+$/u.test(token.text);
}

function hasDigit(tokens: readonly Token[], first: number, last: number): boolean {
  return tokens.slice(first, last + 1).some(({ text }) => /\p{N}/u.test(text));
}

/** Makers of cars, whose names are also said of a car. */
const MAKERS = new Set(
  (
    "toyota tesla bmw audi mercedes honda nissan mazda subaru suzuki hyundai kia volvo volkswagen vw skoda seat renault peugeot citroen fiat opel ford chevrolet " +
    "chevy chrysler dodge jeep cadillac buick lexus porsche ferrari lamborghini maserati bugatti bentley jaguar dacia mitsubishi kenworth harley merc"
  ).split(" "),
);
const OWNERS = new Set("a an my your his her our their this that another".split(" "));
/** Behind its name, the company is meant. */
const OF_COMPANIES = new Set(
  "dealer dealers dealership dealerships plant factory ceo executive executives spokesman stock shares ad advert commercial engineer".split(
    " ",
  ),
);

/** `my Toyota`, `an Audi`: a car, and not the company. */
function isCar(tokens: readonly Token[], { first, last, type }: Entity): boolean {
  if (type !== "ORG" || first !== last || !MAKERS.has(tokens[first]?.lower ?? "")) return false;
  if (!OWNERS.has(tokens[first - 1]?.lower ?? "")) return false;
  return !OF_COMPANIES.has(tokens[first + 1]?.lower ?? "");
}

function isRoad(tokens: readonly Token[], { first, last, type }: Entity): boolean {
  if (first !== last || (type !== "PRODUCT" && type !== "ORG") || !ROAD.test(tokens[first]?.text ?? "")) return false;
  return tokens[first - 1]?.lower === "the" && BEFORE_ROAD.has(tokens[first - 2]?.lower ?? "");
}
