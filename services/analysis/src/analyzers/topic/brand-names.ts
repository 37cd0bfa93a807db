import { wink } from "../../text/wink.js";

/**
 * Names that mean nothing else in posts, in their usual spelling: those that need more than a capital at the start of
 * each word, and those that the dictionary or the lists of people and places contain.
 */
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  (
    "Amazon;Audi;Aviva;Bayer;Chanel;Dacia;Disney;Fanta;Ferrari;Goodyear;Hitachi;Kawasaki;Kia;Lexus;Nike;Renault;Suzuki;Toyota;TUI;Zara;" +
    "Adidas;Airbnb;Aldi;Boeing;Citroen;Facebook;Heineken;Honda;Huawei;Lidl;Lufthansa;Microsoft;Netflix;Nokia;Nutella;Pepsi;Peugeot;" +
    "Pfizer;Porsche;Ryanair;Samsung;Siemens;Sony;Spotify;Starbucks;Tesco;Verizon;Vodafone;Volkswagen;Volvo;Xiaomi;" +
    "AARP;Adobe;AirAsia;Airbus;AliExpress;AMD;Android;Anthropic;ASDA;ASOS;ASUS;AT&T;AutoZone;BBC;BitTorrent;BJP;BMW;BP;BT;Botox;" +
    "BuzzFeed;ByteDance;Carrefour;CBC;CBS;CDC;ChatGPT;Chevrolet;Chevy;Chipotle;CIA;CNBC;CNET;CNN;Coke;Corvette;DeepMind;DeepSeek;" +
    "DHL;DoorDash;DPD;easyJet;eBay;ESPN;EU;FAA;FBI;FCC;FDA;FDNY;FedEx;FEMA;Fiat;FIFA;GitHub;GitLab;GM;GoDaddy;GoFundMe;GOP;Google;GoPro;H&M;" +
    "HBO;HelloFresh;Hezbollah;HMRC;HSBC;HubSpot;Hulu;IBM;iCloud;IKEA;IMDb;iMessage;Instagram;iOS;iPad;iPhone;iPhones;iPlayer;iPod;" +
    "ISRO;iTunes;Jeep;JetBlue;KFC;KLM;Lazio;LEGO;LG;LibreOffice;LinkedIn;macOS;MacBook;Mailchimp;Mastercard;McDonald's;McDonalds;" +
    "McLaren;MLB;Mozilla;MSNBC;MTV;MUFC;MySpace;NASA;NASCAR;NATO;NBA;NBC;NCAA;NEC;Nestle;NFL;NHL;NHS;Nickelodeon;Nissan;NPR;NRA;NSA;NSPCC;NUFC;NVIDIA;NYPD;" +
    "OnePlus;OnlyFans;OpenAI;OPEC;Oreo;PayPal;PBS;PlayStation;PG&E;Prozac;PS4;PS5;PwC;QuickBooks;RAF;RSPCA;RTÉ;SAP;SoundCloud;SpaceX;StubHub;" +
    "TalkTalk;TechCrunch;TikTok;Timberland;TomTom;TripAdvisor;TSA;Twitch;Twitter;Tylenol;UFC;UK;UKIP;UN;UNESCO;UNHCR;UNICEF;UPS;USA;US Open;USDA;USPS;" +
    "Viagra;WeWork;WhatsApp;WhatsApp Web;WordPress;WTO;WWE;WWF;Xanax;Xerox;Yahoo;Yelp;YMCA;YouTube;YouTube Kids;YouTube Music;YouTube TV"
  )
    .split(";")
    .map((name): [string, string] => [name.toLowerCase(), name])
    .concat([
      ["coca cola", "Coca-Cola"],
      ["t mobile", "T-Mobile"],
      ["tmobile", "T-Mobile"],
    ]),
);

/**
 * Companies that are often meant by their ordinary names: `@AppleNews`, `#BoycottTarget`. Teams (`dolphins`) and bands
 * (`train`) are not among them: those words mean something else more often.
 */
const COMPANIES: ReadonlySet<string> = new Set(
  (
    "apple argos armani avis bentley bing bloomberg boots canon chase chevron chrysler citizens converse costa dell delta dodge emirates " +
    "fidelity ford fox gap guess hilton hyatt iberia jaguar kraft lush marvel mercedes meta orange oracle pandora puma rogers santander " +
    "seat sharp shell sky sonic southwest sprint square stripe subway supreme target tesla tiffany uber vans virgin visa vogue wired"
  ).split(" "),
);

/** Whether a word is the name of a company as well as an ordinary word, and often the former. */
export function isCompany(word: string): boolean {
  return COMPANIES.has(word);
}

/** Whether a lower-case name means a brand or organization and nothing else, whatever the lists say. */
export function isBrand(name: string): boolean {
  return SPELLINGS.has(name);
}

/** Whether a lower-case entry of a word list also has an ordinary meaning: `target`, `best buy`; not `google`. */
export function isOrdinary(entry: string): boolean {
  return !SPELLINGS.has(entry) && entry.split(" ").every((word) => wink().knows(word) && !SPELLINGS.has(word));
}

const SMALL = new Set(["of", "the", "and", "in", "on", "a", "an", "to", "for", "with", "at", "by", "de"]);

/** The usual spelling of a lower-case name: `nhs` → `NHS`, `youtube` → `YouTube`, `bank of america` → `Bank of America`. */
export function usualSpelling(name: string): string {
  const known = SPELLINGS.get(name);
  if (known !== undefined) return known;
  return name
    .split(" ")
    .map((word, at) => {
      if (at > 0 && SMALL.has(word)) return word;
      const spelled = SPELLINGS.get(word);
      if (spelled !== undefined) return spelled;
      return isAcronym(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1);
    })
    .join(" ");
}

/** Short words that are in no dictionary and cannot be spoken as words. */
function isAcronym(word: string): boolean {
  if (wink().knows(word)) return false;
  return word.length < 4 || (word.length === 4 && !/[aeiouy]/.test(word));
}
