/** Companies with an address of their own: what honest messages name, and what fraud pretends to be. */
const BRANDS: Readonly<Record<string, readonly (readonly [name: string, domain: string])[]>> = {
  bank: [
    ["Chase", "chase.com"],
    ["Wells Fargo", "wellsfargo.com"],
    ["Bank of America", "bankofamerica.com"],
    ["Citi", "citi.com"],
    ["Barclays", "barclays.co.uk"],
    ["HSBC", "hsbc.com"],
    ["Lloyds", "lloydsbank.com"],
    ["NatWest", "natwest.com"],
    ["Santander", "santander.com"],
    ["Monzo", "monzo.com"],
    ["Revolut", "revolut.com"],
    ["ING", "ing.com"],
    ["BBVA", "bbva.com"],
    ["PayPal", "paypal.com"],
    ["Capital One", "capitalone.com"],
    ["TD Bank", "td.com"],
  ],
  parcel: [
    ["USPS", "usps.com"],
    ["UPS", "ups.com"],
    ["FedEx", "fedex.com"],
    ["DHL", "dhl.com"],
    ["Royal Mail", "royalmail.com"],
    ["Evri", "evri.com"],
    ["DPD", "dpd.com"],
    ["GLS", "gls-group.com"],
    ["PostNL", "postnl.nl"],
    ["Canada Post", "canadapost.ca"],
    ["InPost", "inpost.pl"],
  ],
  account: [
    ["Netflix", "netflix.com"],
    ["Disney+", "disneyplus.com"],
    ["Spotify", "spotify.com"],
    ["Amazon", "amazon.com"],
    ["Apple", "apple.com"],
    ["Microsoft", "microsoft.com"],
    ["Google", "google.com"],
    ["Instagram", "instagram.com"],
    ["Facebook", "facebook.com"],
    ["WhatsApp", "whatsapp.com"],
    ["eBay", "ebay.com"],
    ["Steam", "steampowered.com"],
    ["Uber", "uber.com"],
    ["Airbnb", "airbnb.com"],
    ["LinkedIn", "linkedin.com"],
    ["Telegram", "telegram.org"],
  ],
  toll: [
    ["E-ZPass", "e-zpassny.com"],
    ["FasTrak", "bayareafastrak.org"],
    ["SunPass", "sunpass.com"],
    ["TxTag", "txtag.org"],
    ["The Toll Roads", "thetollroads.com"],
  ],
  tax: [
    ["IRS", "irs.gov"],
    ["HMRC", "gov.uk"],
    ["GOV.UK", "gov.uk"],
    ["DVLA", "gov.uk"],
  ],
  wallet: [
    ["MetaMask", "metamask.io"],
    ["Coinbase", "coinbase.com"],
    ["Binance", "binance.com"],
    ["Trust Wallet", "trustwallet.com"],
    ["Ledger", "ledger.com"],
    ["Phantom", "phantom.com"],
    ["Kraken", "kraken.com"],
  ],
};

const NEW_ENDINGS = "top xyz vip icu cc shop online site live info club click buzz cyou sbs cfd life fun lol".split(
  " ",
);
const OLD_ENDINGS = "com net org co info us".split(" ");
const BAIT = (
  "verify secure login account update billing support alert confirm help id auth service track redelivery pay fee " +
  "parcel customer unlock restore claim refund renew"
).split(" ");
const SHORTENERS = "bit.ly tinyurl.com cutt.ly is.gd t.ly rb.gy shorturl.at s.id goo.su qi.lv".split(" ");
const OWN_SITES = (
  "youtu.be/ github.com/ medium.com/@ instagram.com/p/ soundcloud.com/ open.spotify.com/episode/ substack.com/p/ " +
  "bbc.co.uk/news/ theguardian.com/world/ nytimes.com/2024/ eventbrite.com/e/ forms.gle/ docs.google.com/document/d/ " +
  "gofund.me/ justgiving.com/ change.org/p/ t.co/ twitch.tv/ strava.com/activities/ linkedin.com/posts/ reddit.com/r/ " +
  "en.wikipedia.org/wiki/ arxiv.org/abs/ etsy.com/shop/ letterboxd.com/film/ bandcamp.com/track/ maps.app.goo.gl/"
).split(" ");
const NAMES =
  "Anna Tom Maria James Priya Ali Sofia Lukas Mei Noah Fatima Olga Diego Emma Kofi Yuki Ben Laura Omar Nina".split(" ");

/** Companies without a group: any that writes to its customers. */
const SHOPS = (
  "Grubhub|Deliveroo|Just Eat|Zomato|Swiggy|Starbucks|McDonald's|Subway|Pizza Hut|Tesco|Aldi|Lidl|Carrefour|Target|Best Buy|" +
  "Decathlon|Uniqlo|Zara|Nike|Sephora|Boots|Walgreens|Home Depot|Wayfair|Chewy|Instacart|Lyft|Bolt|Grab|Gojek|Shopee|Lazada|" +
  "Flipkart|Myntra|Nykaa|Lybrate|Practo|Vrbo|Hostelworld|Ryanair|easyJet|Delta|Lufthansa|IndiGo|FlixBus|Trainline|Eurostar|" +
  "Hertz|Sixt|Mint|giffgaff|Lebara|Airtel|Jio|Sky|Virgin|Orange|Telekom|OKX|KuCoin|Bitstamp|Gemini|Bybit|Klarna|Affirm|Wise|" +
  "N26|Starling|Aviva|Allianz|Bupa|Octopus|British Gas|Ring|Nest|Peloton|PureGym|Duolingo|Coursera|Ticketmaster|StubHub|Vinted|" +
  "Depop|Poshmark|Gumtree|OLX|Indeed|ADP|Workday|HelloFresh|Gousto|Bloom & Wild|Oak Dental|Rivermead|Camden"
).split("|");

type Random = () => number;

const pick = <T>(items: readonly T[], random: Random): T => items[Math.floor(random() * items.length)]!;

const letters = (count: number, random: Random): string =>
  Array.from({ length: count }, () => "abcdefghijkmnpqrstuvwxyz23456789"[Math.floor(random() * 32)]).join("");

const digits = (count: number, random: Random): string =>
  Array.from({ length: count }, () => Math.floor(random() * 10)).join("");

/** The name as a part of an address. */
const slug = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, "");

/** An address that a fraud would use; `name` is the company that it pretends to be, if any. */
const falseAddress = (name: string, random: Random): string => {
  const scheme = pick(["https://", "http://", "", ""], random);
  const own = slug(name);
  const bait = pick(BAIT, random);
  const ending = pick(random() < 0.6 ? NEW_ENDINGS : OLD_ENDINGS, random);
  const path = random() < 0.5 ? `/${letters(2 + Math.floor(random() * 5), random)}` : "";
  const host = pick(
    [
      `${own}-${bait}.${ending}`,
      `${bait}-${own}.${ending}`,
      `${own}.${bait}${digits(2, random)}.${ending}`,
      `${own}${bait}.${ending}`,
      `${bait}-${pick(BAIT, random)}.${ending}`,
      `${own.replace("o", "0").replace("l", "1")}-${bait}.${ending}`,
      `${letters(8, random)}.${ending}`,
      `my${own}.${bait}.${ending}`,
      `${own}-${bait}.example`,
    ],
    random,
  );
  if (random() < 0.2) return `${scheme}${pick(SHORTENERS, random)}/${letters(6, random)}`;
  if (random() < 0.04)
    return `http://${digits(2, random)}.${digits(2, random)}.${digits(2, random)}.${digits(2, random)}/${bait}`;
  return `${scheme}${host}${path}`;
};

/** An address of the company itself. */
const trueAddress = (domain: string, random: Random): string => {
  const scheme = pick(["https://", "https://www.", "", ""], random);
  return `${scheme}${domain}${random() < 0.6 ? `/${pick(["track", "help", "account", "app", "security", letters(7, random)], random)}` : ""}`;
};

/** A short address of a company's own, as apps and message services make them. */
const appAddress = (name: string, random: Random): string => {
  const own = slug(name);
  const scheme = pick(["https://", "https://", ""], random);
  const short = own.slice(0, 3 + Math.floor(random() * 2));
  const host = pick(
    [
      `${own}.com`,
      `${own}.app.link`,
      `${own}.onelink.me`,
      `app.${own}.com`,
      `${short}.${pick(["to", "co", "sh", "tl", "ly", "me", "app", "link"], random)}`,
      `${own}.co.uk`,
      pick(SHORTENERS, random),
    ],
    random,
  );
  return `${scheme}${host}/${letters(4 + Math.floor(random() * 5), random)}`;
};

/**
 * Fills the slots of a written line, each time differently: `{bank}` and its like with a company, `{false}` and `{true}`
 * with an address that pretends to be the line's company or is its own, `{short}`, `{site}` and `{link}` with other
 * addresses, `{shop}` and `{app}` with any company and a short address of its own, and numbers, names and codes.
 */
export const fillSlots = (line: string, random: Random): string => {
  const [group = "account"] = Object.keys(BRANDS).filter((name) => line.includes(`{${name}}`));
  const [name, domain] = pick(BRANDS[group]!, random);
  const shop = pick(SHOPS, random);
  const fillers: Readonly<Record<string, () => string>> = {
    false: () => falseAddress(group in BRANDS && line.includes(`{${group}}`) ? name : pick(BAIT, random), random),
    true: () => trueAddress(domain, random),
    short: () => `${pick(["https://", ""], random)}${pick(SHORTENERS, random)}/${letters(6, random)}`,
    site: () => `https://${pick(OWN_SITES, random)}${letters(7, random)}`,
    bad: () =>
      `${pick(["https://", "http://", ""], random)}${pick(BAIT, random)}${letters(3, random)}.${pick(NEW_ENDINGS, random)}`,
    shop: () => shop,
    app: () => appAddress(shop, random),
    code: () => digits(pick([4, 5, 6, 6, 6, 8], random), random),
    last4: () => digits(4, random),
    number: () => digits(8 + Math.floor(random() * 4), random),
    phone: () => `+${digits(2, random)} ${digits(3, random)} ${digits(3, random)} ${digits(4, random)}`,
    amount: () => String(pick([12, 19.99, 35, 48.2, 75, 120, 249, 350, 480, 899, 1250, 3400, 5000], random)),
    small: () => String(pick([0.99, 1.45, 1.99, 2.5, 2.99, 3.6, 4.15, 6.99], random)),
    percent: () => String(pick([10, 15, 20, 30, 40, 50, 70, 80], random)),
    name: () => pick(NAMES, random),
    user: () =>
      `@${pick(["user", `${pick(NAMES, random).toLowerCase()}_${pick(["fx", "trades", "recovery", "hub", "official"], random)}`], random)}`,
    friend: () => `@${pick(NAMES, random).toLowerCase()}`,
    time: () => `${8 + Math.floor(random() * 12)}:${pick(["00", "15", "30", "45"], random)}`,
    coin: () => `$${pick(["BTC", "SOL", "ETH", "PEPE", "WIF", "DOGE", "TRUMP", "ARB", "ZRO", "MOON", "FROG"], random)}`,
  };
  return line.replace(/\{(\w+)\}/g, (whole, slot: string) => (slot in BRANDS ? name : (fillers[slot]?.() ?? whole)));
};

/** Latin letters with the Cyrillic ones that look the same. */
const PAIRS: readonly (readonly [latin: string, cyrillic: string])[] = [
  ["a", "\u0430"],
  ["e", "\u0435"],
  ["o", "\u043e"],
  ["p", "\u0440"],
  ["c", "\u0441"],
  ["y", "\u0443"],
  ["x", "\u0445"],
];
/** Letters and what they are replaced by to escape filters, in both directions. */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  PAIRS.flatMap(
    ([a, b]) =>
      [
        [a, b],
        [b, a],
      ] as const,
  ),
);

/** A text with some of its letters, outside addresses, replaced by others that look the same. */
export const disguise = (text: string, random: Random): string => {
  const share = 0.15 + random() * 0.7;
  return text.replace(/\S+/g, (word) =>
    /[./@]/.test(word)
      ? word
      : word.replace(/./gu, (sign) => (random() < share ? (LOOK_ALIKES.get(sign) ?? sign) : sign)),
  );
};
