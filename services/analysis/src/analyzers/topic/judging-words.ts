import { listsOf } from "../../text/gazetteers.js";
import { valenceOf } from "../../text/ngrams/lexicon.js";
import type { Token } from "../../text/tokens.js";
import { isCapitalized } from "./word-shapes.js";

/** The least valence of a word that judges, of 4. */
const VALENCE_MIN = 1;

/**
 * Whether an adjective before a noun judges or grades it, so that it is no part of the topic: `terrible battery`, `best
 * pizza`, `same phone`. Not in compounds, which mean something else without it: `happy hour`.
 */
export function isJudging(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  const next = tokens[at + 1];
  if (token === undefined || next === undefined || next.newLine || next.text === "-") return false;
  if (token.pos !== "ADJ" && token.pos !== "VERB" && token.pos !== "ADV" && !PLAIN.has(token.lower)) return false;
  if (token.lower === "brand" && next.lower === "new") return true;
  return judges(token.lower) && !isCompound(token, next);
}

/** Whether two words are one thing: a compound, an entry of a word list, or capitalized as names are. */
export function isCompound(token: Token, next: Token): boolean {
  if (isOneThing(token, next) || listsOf(`${token.lower} ${next.lower}`) !== 0) return true;
  return isCapitalized(token) && !token.initial && isCapitalized(next);
}

/** Whether two words are a compound that is on the list: `happy hour`. */
export function isOneThing(token: Token, next: Token): boolean {
  const phrase = `${token.lower} ${next.lower}`;
  return COMPOUNDS.has(phrase) || COMPOUNDS.has(phrase.replace(/s$/, ""));
}

function judges(word: string): boolean {
  if (GRADING.has(word)) return true;
  if (DESCRIBING.has(word)) return false;
  if (/(?:ful|ous|some)$/.test(word) && word.length > 5) return !KINDS.has(word);
  if (/[^aeiou]est$/.test(word) && word.length > 4 && word !== "honest" && word !== "modest") return true;
  return Math.abs(valenceOf(word)) >= VALENCE_MIN;
}

/** Words that taggers take for nouns before other nouns. */
const PLAIN: ReadonlySet<string> = new Set(
  "super fav fave favourite favorite fun top happy merry nice brand little".split(" "),
);

/** Words that compare or grade, whatever their polarity. */
const GRADING: ReadonlySet<string> = new Set(
  (
    "growing early big bigger huge tiny massive enormous giant gigantic immense whole entire main major minor actual real usual normal average typical " +
    "certain particular specific possible likely apparent obvious absolute total complete utter sheer mere extreme incredible " +
    "unbelievable unexpected extraordinary exceptional weird decent mediocre same other various multiple several different similar overall own " +
    "next last previous past latest ultimate favorite favourite fave fav proper necessary familiar iconic legendary random " +
    "famous popular odd strange crazy funny serious important better worse larger smaller higher cheaper faster slower easier harder longer " +
    "shorter stronger weaker nicer older newer so-called sure worthy worth unique rare tiresome tough considerable substantial significant definite " +
    "exact endless countless numerous vast ample further final top silly awkward chilling adequate notable peculiar unlikely intriguing tasty " +
    "little recent extra additional potential upcoming mighty inevitable special poor fine solid pure cheeky fancy dear current basic mere mild genuine crucial essential " +
    "interesting appropriate suitable reasonable decent helluva lovable loveable adorable likable memorable remarkable muh immediate constant ongoing undeniable unmistakable uncanny " +
    "useless pointless endless mindless senseless meaningless flawless ruthless careless shameless harmless hopeless heartless tasteless seamless priceless " +
    "smug languid affable macabre colorful colourful boozy feral spoofy sleek nifty crisp solemn somber sombre dreary dull vivid " +
    "stirring gripping riveting compelling engaging engrossing captivating unsettling underwhelming overwhelming outstanding refreshing startling stunning thought-provoking " +
    "heartfelt heartwarming unrelenting intriguing corny cheesy sappy edgy goofy clunky quirky feisty mushy hokey sloppy lousy lame crummy shoddy " +
    "yummy dope epic sick-ass badass dumbass goddamn fucking fuckin freaking frigging frickin bloody damn effing fun super"
  ).split(" "),
);

/** Adjectives in -ful, -ous and -some that tell kinds apart; all others judge: `gratuitous violence`. */
const KINDS: ReadonlySet<string> = new Set(
  (
    "lawful unlawful religious nervous indigenous infectious contagious continuous anonymous autonomous porous fibrous cancerous venomous poisonous " +
    "hazardous amphibious homogeneous simultaneous miscellaneous carnivorous herbivorous herbaceous deciduous coniferous " +
    "aqueous gaseous ferrous nitrous igneous mucous cutaneous subcutaneous intravenous membranous vitreous luminous monogamous polyamorous " +
    "precious dangerous"
  ).split(" "),
);

/** Words of the lexicon that tell kinds of things apart: `free wifi`, `illegal parking`, `fake reviews`, `toxic waste`. */
const DESCRIBING: ReadonlySet<string> = new Set(
  (
    "free legal illegal comic dead natural original hard toxic terrorist criminal romantic violent homeless healthy clean warm " +
    "fresh blind drunk broken lost abandoned infected defensive offensive supporting limited competitive emotional intellectual gold " +
    "grey creative active straight fake false racist sexist sick sore exclusive missing stolen damaged low lower grand negative positive critical " +
    "guilty ill armed dirty rich corrupt abusive deadly fatal leading fighting winning sunny rainy welcome giving alive " +
    "grave fiery forced haunted worn mandatory advanced charitable psychopathic traumatic innocent protected secure wounded injured powerful " +
    "military mental strong weak bright dark quality safe unsafe dangerous popular smart sweet bitter sour salty spicy wet heavy light loud cold " +
    "hot humid dry raw suicidal anxious nuclear severe chronic terminal cancer abandoned gun polluted contaminated " +
    "collapsed delayed cancelled canceled unpaid pending rejected refused banned blocked trapped wasted warning alarm loyal loyalty " +
    "supportive positive lonely tired stressed depressed pregnant disabled wealthy luxury cultural spiritual peaceful festive responsible " +
    "accessible flexible portable reliable empty intense"
  ).split(" "),
);

/** Two words that are one thing; the last one may have a plural `s`. */
const COMPOUNDS: ReadonlySet<string> = new Set(
  (
    "early access;early bird;early childhood;early adopter;early retirement;good value;happy hour;happy tear;happy meal;fast food;fast fashion;fast lane;fast track;happy ending;happy birthday;good friday;good samaritan;goods train;best man;best friend;best seller;best practice;" +
    "best actor;best actress;best director;best picture;best buy;better half;bad debt;bad loan;bad bunny;bad guy;bad gateway;big data;big bang;big brother;" +
    "big sister;big tech;big apple;big ben;big mac;big pharma;big game;big screen;big bird;big cat;big sean;big boy;super bowl;super market;super glue;super hero;" +
    "super computer;super league;super cup;super mario;super car;super nova;super user;fine art;fine dining;fine print;fine line;dumb bell;smart phone;" +
    "sweet potatoe;sweet potato;sweet tooth;sweet spot;sweet heart;cool bag;cool box;fair trade;fair play;fair use;fair share;true crime;true story;true detective;" +
    "true love;perfect storm;perfect pitch;worst case;crazy golf;ugly sweater;ugly duckling;wicked witch;evil twin;mad cow;mad max;mad men;angry bird;" +
    "lucky charm;lucky draw;lucky number;safe house;safe space;easy listening;nasty gal;dirty bomb;silly season;great dane;great white;great wall;great britain;" +
    "great depression;great lake;great grandmother;great grandfather;great aunt;great uncle;greatest hit;great hall;funny bone;funny business;sick leave;sick day;wonder woman;" +
    "real estate;real time;real madrid;real betis;real sociedad;whole food;whole milk;whole grain;whole wheat;main street;main course;" +
    "main character;main stage;major league;minor league;major label;major general;giant panda;odd job;odd number;weird al;friendly fire;friendly match;" +
    "kind regards;first aid;last name;last minute;last supper;last jedi;last fm;next gen;next door;past tense;past paper;past life;final exam;final fantasy;final cut;final four;" +
    "final destination;top gun;top gear;top hat;top shelf;top tier;top secret;top up;top scorer;top level;top speed;toxic masculinity;guilty pleasure;killer whale;" +
    "strange thing;stranger thing;random access;random number;random forest;normal distribution;average joe;mean girl;mean time;absolute zero;total war;" +
    "total recall;complete work;extreme sport;extreme weather;extreme heat;extreme poverty;proper noun;proper name;specific gravity;rare earth;rare disease;rare beef;" +
    "certain death;tough mudder;tough love;fun run;fun fair;fun park;epic game;dope sheet;favorite list;higher education;higher power;larger than life;" +
    "wild card;wild life;older brother;older sister;older people;older adult;smaller business;cheap flight;crazy rich;crazy horse;" +
    "honest trailer;ideal gas;ideal home;perfect day;pretty woman;beautiful mind;beautiful game;brave heart;brave new;gentle giant;precious metal;precious stone;" +
    "dear john;merry christma;glad bag;grim reaper;cruel intention;hell boy;desperate housewive;desperate housewife;amazing race;amazing grace;incredible hulk;" +
    "fantastic beast;fantastic four;wonderful life;glorious revolution;noble prize;noble gas;supreme court;holy grail;charming man;haunted house;" +
    "worst enemy;secret santa;stupid question;sad face;interest rate;unfair dismissal;unfair competition;wrong number;wrong turn;wrong way;wrong size;wrong item;wrong order;wrong address;" +
    "wrong color;wrong colour;wrong product;different color;different colour;different size;important note;popular vote;popular culture;popular music;popular mechanic;" +
    "little brother;little sister;little league;little mermaid;little italy;little rock;little finger;extra time;extra virgin;potential energy;special effect;special edition;special offer;special need;special force;special education;special delivery;" +
    "special agent;special guest;special issue;special interest;special relativity;poor people;poor country;poor countrie;poor household;poor familie;poor neighborhood;fine wine;fine jewelry;solid wood;solid state;solid gold;pure mathematic;pure math;" +
    "fancy dress;current affair;current account;current event;basic income;basic right;basic training;basic law;essential oil;essential worker;essential service;solid waste;solid fuel;" +
    "sunday school;sunday roast;sunday lunch;sunday dinner;sunday league;friday prayer;monday blue;saturday job;wishful thinking;special report;special event;special teams;special team;mysterious island;today show;tonight show;famous five;serious game;serious injury;same day;same sex;significant other;sexual harassment;beautiful south;excellent adventure;disgusting smell"
  ).split(";"),
);
