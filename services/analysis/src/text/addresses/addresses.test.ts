import { describe, expect, it } from "vitest";
import { addressFacts } from "./addresses.js";

const namesOf = (text: string): string[] => addressFacts(text).map(({ name }) => name);

describe("addressFacts", () => {
  it.each([
    ["Your Netflix membership has been suspended: http://netflix-billing.example", "brand in another domain"],
    ["USPS: update your address at parcel-redelivery.top/a", "domain that is not of the brand in the text"],
    ["USPS: update your address at parcel-redelivery.top/a", "new ending"],
    ["Track your USPS parcel at https://tools.usps.com/go/track", "own domain of a brand in the text"],
    ["Log in: https://paypa1.com/login", "look-alike of a brand"],
    ["Log in: https://аpple-id.com/login", "look-alike of a brand"],
    ["Log in: https://xn--pple-43d.com", "letters beyond ASCII"],
    ["now at bit.ly/3xYz", "shortener"],
    ["Royal Mail: pay at https://cutt.ly/3xYz", "brand beside a shortener"],
    ["go to http://91.23.44.5/verify", "number instead of a domain"],
    ["go to http://91.23.44.5/verify", "not encrypted"],
    ["https://www.paypal.com@login.top/x", "user name before the domain"],
    ["see v52bb123.com", "digits in the domain"],
    ["My talk is on https://youtu.be/abc123", "well known"],
    ["Lets go at http:// nerdsoneth.fun", "new ending"],
    ["Your pаrcel is here", "mixed letters"],
    ["claim-token.example", "host claim"],
  ])("finds in %j: %s", (text, name) => {
    expect(namesOf(text)).toContain(name);
  });

  it.each([
    "Nothing here. Nor here, e.g. at 3.5 or 10.000 ... ok.Then",
    "write to anna@example.com",
    "Привет, как дела? Hello",
    "version 1.2.3 of node.js",
  ])("finds no address in %j", (text) => {
    expect(namesOf(text)).toEqual([]);
  });

  it.each([
    ["a brand's own address", "Your PayPal receipt: https://www.paypal.com/activity"],
    ["an address of nobody known", "I wrote about it: https://annas-garden.net/roses"],
  ])("claims no fraud of %s", (_, text) => {
    const suspicious = /not of the brand|another domain|look-alike|shortener|new ending|number/;
    expect(namesOf(text).filter((name) => suspicious.test(name))).toEqual([]);
  });

  it("says where the address stands", () => {
    const text = "Pay now: https://usps-fee.top/x1 please";
    for (const { start, end } of addressFacts(text)) expect(text.slice(start, end)).toBe("https://usps-fee.top/x1");
  });

  it.each(["a.b-c.".repeat(4_000), "https://".repeat(3_000), "xn--.".repeat(4_000), "аa".repeat(10_000)])(
    "reads 20,000 characters of %.8s quickly",
    (text) => {
      const start = performance.now();
      addressFacts(text);
      expect(performance.now() - start).toBeLessThan(1_000);
    },
  );
});
