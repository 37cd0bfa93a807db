/** The days of the week, in full. */
export const WEEKDAYS: ReadonlySet<string> = new Set(
  "monday tuesday wednesday thursday friday saturday sunday".split(" "),
);

/** Chat words that taggers take for nouns: they say nothing, alone or beside a noun (`cap fr fr`). */
export const SLANG: ReadonlySet<string> = new Set(
  (
    "ngl fr frfr lowkey highkey tbf istg ong bruh bruv sus iykyk smth sth nvm idc idgaf rn tho cuz coz bc prolly dunno lemme gimme finna " +
    "tryna imma ima hella deadass periodt yikes welp meh lmk hmu brb gtg ttyl stfu gtfo omfg rofl roflmao lolol lolz lols lulz ffs jfc smfh " +
    "tysm yw dw obvs defo deffo innit tfw mfw mrw iirc afaict ymmv w/e w/o oof xd dafuq wyd wya hbu wbu tmi idk tbh btw lol lmao lmfao " +
    "omg wtf smh imo imho ikr af jk fwiw afaik ftw icymi"
  ).split(" "),
);

/** Words that are chat words without an article (`no cap`, `that's cap`) and nouns with one (`my cap`). */
export const FILLERS: ReadonlySet<string> = new Set("cap bet slay bussin lit mid man".split(" "));

/** Vague nouns for people and places that an adjective makes a topic: `young people`, `public places`. */
export const BEARERS: ReadonlySet<string> = new Set(
  "people person folks guy guys couple place places man men woman women boy boys girl girls crowd fans".split(" "),
);

/** Nouns that relate, weigh or measure something else, which alone they do not name: `advantage`, `lack`, `possibility`. */
const RELATIONAL = (
  "ability absence acceptance addition advantage advantages aim alternative alternatives ambition approach arrangement " +
  "assumption assumptions attraction average awareness balance basis belief beliefs bias blame bother burden capability " +
  "capacity category characteristic circumstance circumstances claim claims clue combination comparison component concern " +
  "concerns conclusion condition conditions confidence confusion connection consequence consequences consideration " +
  "context contrast contribution core correction corrections count curiosity decision decisions definition denial depth " +
  "desire destiny development developments difficulty direction disappointment discovery discussion distance doubt doubts " +
  "duration duty edge emergence emotion emotions emphasis enjoyment enthusiasm essence evidence excitement excuse excuses " +
  "expectation expectations explanation expression extension fault fold folds frustration fuss gain gap gesture glance " +
  "glimpse guess guidance handful harm hassle haste height hint hints hurry importance improvement improvements inability " +
  "indication individual individuals instinct intention intentions interest interests introduction " +
  "involvement irony issuing judgment knowledge lack lesson lessons lie likelihood limit limits logic manner meaning " +
  "means measure method methods mercy mind minds mixture momentum motive motives mystery necessity notice " +
  "notion objective objection obligation occasion occasions opposite origin outcome outcomes outset overview paraphrasing " +
  "participation patience peak perception perfection permission perspective phase phenomenon phrase phrases " +
  "picture pile portion position possibility possibilities potential practice practices preference presence pretense " +
  "pride priority process progress promise promises proof proportion prospect quantity quest quote quotes range reaction " +
  "reactions reality realization reasoning recognition reference regret regrets relation relevance relief request " +
  "requests requirement requirements resistance resolution respect response responses restraint rhythm routine sadness " +
  "satisfaction scale scenario scenarios search section sections selection sensation sequence shade shape share shift " +
  "significance similarity simplicity slot solution solutions spectacle spirit stage stages stake standard standards " +
  "standpoint status strength strengths struggle struggles subject substance suggestion suggestions sum suspicion task " +
  "tasks tendency term terms thought thoughts threshold tone touch traction transition trend trends truth understanding " +
  "urge variation variations vibe vibes vision warmth weakness willpower wisdom wonder worry face faces limitation limitations laughter ill id nvr ctfu " +
  "muah damm dat"
).split(" ");

/** What people say to or call each other, and curses: they name nobody. */
const ADDRESSES = (
  "dudes bros homie homies lad lads fella fellas gal gals chick chicks hun hunny babe babes sweetie sweetheart darling mister matey " +
  "fellow fellows peeps tweeps y'all yall nigga niggas niggah nigger niggers motherfucker motherfuckers fucker fuckers fuck fucks shits arse arses bum hoe " +
  "hoes skank weirdo weirdos creep creeps freaks pricks whores sluts twats cunts dickheads douche douchebag douchebags scumbag scumbags sucker suckers " +
  "goof dork dummy bozo bellend wanker wankers tosser git prat muppet crackhead shite bullcrap heck kudos goodbye bye hello cheers shoutout " +
  "shoutouts amen hooray hurray woohoo woah whoa whew oops ouch boo dang dammit damnit duh ay aah lawl fml sigh rawr bazinga gah yikes " +
  "ftfy pt yah wh eff illest woot rip dope tgif trndnl oomf oppa mehn ite tb qt rt'd hes shes doesnt didnt isnt wasnt wont havent couldnt wouldnt shouldnt " +
  "shoulda coulda woulda musta gotta gunna gonna hafta oughta takin comin doin goin havin makin talkin freakin rockin def prob probs " +
  "alot cont wen wut wat bout thou dis dat ther te ni ey o_o owo t_t"
).split(" ");

/** Nouns that judge what they are said of: `a masterpiece`, `the epitome of cool`. */
const JUDGMENTS = (
  "masterpiece masterpieces gem gems treat treats bore letdown flop dud trainwreck epitome delight delights thrill triumph hoot howler " +
  "romp trifle nightmare genius madness insanity ridiculousness awesomeness greatness excellence brilliance perfection audacity alacrity zeal " +
  "gusto hype bliss disgrace embarrassment nuisance menace godsend lifesaver must-have must-see no-brainer " +
  "win-win bummer downer stinker charm charms grace appreciation props bravado finesse flair"
).split(" ");

/** Nouns that count, order, place or refer to something else that the text names or leaves out. */
const REFERRING = (
  "others mine yours millions thousands hundreds billions heaps masses oodles zillions pair pairs row rows minimum maximum amounts figure " +
  "figures odds stretch stretches middle outside inside front back left right low high dark original originals exception exceptions " +
  "coincidence hindsight result use uses need needs set sets round rounds gen run pick picks date change while " +
  "repeat ease expense makings source sources pros cons bet laugh laughs giggle giggles chuckle chuckles smirk respects " +
  "plans trouble troubles success successes link links everyday everythings counterpart counterparts " +
  "remainder version versions variant variants instance instances specimen likes liking facet facets handfuls trace traces hodgepodge mishmash " +
  "flurry slew myriad multitude abundance array assortment slice slices sliver shred whit iota ounce smidgen inkling tad " +
  "grind vain behalf lieu verge brink midst onset heyday brunt gist crux whole halves correlation correlations resemblance similarities parallels " +
  "differences contrasts overlap outcome aftermath prerequisite byproduct spectrum leeway detriment stead " +
  "newness lowdown highlight highlights upside downside downsides drawback drawbacks merits pitfall pitfalls plenty excess " +
  "hassles bothering caveat caveats quirk quirks notch notches tier tiers rung hang knack jist clue clues " +
  "exuberance irrelevance relevance rarity modesty conceit ingenuity sincerity pathos predicament gotcha bae wirse style styles regard sides shots care talking hail grasp gamut confluence backbone pretension pretensions overtones undertones nuance nuances compilation background backdrop return minus plus goosebumps maker " +
  "bidding portent imprecision derivative utilitarian thnx thanx tnx gtfoh resemblances standstill forefront workings facade footing glory demise"
).split(" ");

/**
 * Nouns that do not say what a text is about, and words that taggers trained on edited English take for nouns in posts.
 */
export const VAGUE: ReadonlySet<string> = new Set([
  ...SLANG,
  ...RELATIONAL,
  ...ADDRESSES,
  ...JUDGMENTS,
  ...REFERRING,
  ...(
    "thing things stuff lot lots bit kind kinds sort sorts way ways one ones thanks thank time times guy guys someone somebody " +
    "something anything everything nothing anyone everyone anybody everybody nobody people person folks rest part parts end " +
    "couple bunch side place places fact point example reason number side dude bro sis mate fam ya yall self " +
    "rt fb ff ok okay yes no hi hey oh haha fyi dm pm am a.m. p.m. tbt nowplaying np follow retweet cant dont " +
    "im ive u ur r n w b ppl plz pls thx ty np gn gm xx xo xoxo aka etc via pic pics " +
    "followback teamfollowback instagood instadaily photooftheday picoftheday followme likeforlike like4like follow4follow " +
    "mr mrs ms dr mr. mrs. ms. dr. kinda sorta gonna wanna shit crap ass damn hell fuck wow woo yay yup yeah yea nah nope god gosh " +
    "tldr tl;dr op edit amp quot nbsp http https www com feeling feelings anyways c'mon cmon etc. lets " +
    "opportunity opportunities chance chances idea ideas reasons matter matters input sake worth plethora angle concept concepts congrats " +
    "congratulations regards wishes wish luck scope opinion opinions sense level levels type types form forms piece pieces amount number numbers " +
    "majority half group groups top bottom beginning start ending turn step steps try shot attempt effort attention purpose difference mess joy joke " +
    "jokes surprise hope hopes wait look looks move stop boy boys girl girls man men woman women lady ladies gentlemen world tale answer answers " +
    "question questions issue issues problem problems appearance appearances deal period equivalent word words name names line lines hands hand eyes " +
    "area spot cause detail details choice choices option options example examples situation " +
    "mood attitude habit habits pleasure shame pity favor favour mistake mistakes experience experiences moment effect effects " +
    "impression impact feel note mention comment comments post posts reply tweet tweets thread check self sight sign signs future past " +
    "existence aspect aspects element elements kind item items queen trick rest piece mark fan fans hell degree extent " +
    "talk conversation conversations memory memories dream dreams favorite favorites favourite favourites fav favs faves info summary crowd " +
    "idiot idiots moron morons bitch bitches bastard bastards asshole assholes dumbass loser losers jerk jerks fool fools clown clowns scum twat " +
    "goodnight thats track pockets pocket dozens zero focus appeal ma'am otw feat " +
    "fun welcome salute champ spoiler spoilers view views help pattern patterns nature buddy pal block blocks out " +
    "life lives love reminder sir madam darlin darling freak snooze lunacy topic topics " +
    "prick whore slut pussy liar liars dick dickhead cunt pig bullshit bs nonsense garbage trash rubbish crap"
  ).split(" "),
]);

/** Words of time: a topic only beside a word that is none. */
export const TIME: ReadonlySet<string> = new Set(
  (
    "day days today tonight tomorrow yesterday week weeks weekend weekends month months year years hour hours minute minutes min " +
    "mins second seconds sec secs moment moments morning mornings night nights afternoon evening noon midnight tonite tmrw tmr " +
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thurs fri sat sun mondays tuesdays " +
    "wednesdays thursdays fridays saturdays sundays january february march april may june july august september october " +
    "november december jan feb mar apr jun jul aug sep sept oct nov dec jan. feb. mar. apr. jun. jul. aug. sep. sept. oct. nov. dec. mon. tue. tues. wed. thu. thurs. fri. sat. sun. weekday weekdays midweek daytime nighttime fortnight instant millennium eternity decade decades century 2day 2nite 2morrow pst est et gmt edt cst utc ago summer winter spring autumn fall season"
  ).split(" "),
);

/** Adjectives and numbers that add nothing to a vague noun: `good thing`, `last night`, `two people`. */
export const WEAK: ReadonlySet<string> = new Set(
  (
    "last next first second third final past good great nice bad big little small new old whole long short real best better worse " +
    "worst right wrong only main certain different early late same other entire full half single double one two three four five " +
    "six seven eight nine ten hundred thousand million dozen few lovely amazing awesome beautiful happy sad crazy perfect " +
    "wonderful terrible horrible weird funny stupid so-called particular specific general huge tiny random"
  ).split(" "),
);

/** Words that may open a chunk without being part of the topic: demonstratives, quantities, intensifiers and curses. */
export const OPENERS: ReadonlySet<string> = new Set(
  (
    "the a an my your his her its our their whose this that these those ur thy some any no every each either neither both which " +
    "what such own same other another many much more most few several less least very all enough really so too quite pretty " +
    "just only even super damn goddamn fucking fuckin freaking friggin bloody stupid-ass literally actually totally rather " +
    "lots plenty certain various rt shit shitty crappy e.g. e.g i.e. i.e eg ie wid da tha dem dat dis muh yer lil mah"
  ).split(" "),
);

/** Words that taggers take for names in posts. */
export const NO_NAMES: ReadonlySet<string> = new Set(
  (
    "rt lol omg lmao lmfao wtf smh haha hahaha im ive i u ur me you we they he she it my your dm pm am a.m. p.m. ok okay yes no hi hey oh thanks thx ff tbt " +
    "np via icymi breaking update live new news watch video photo the a an and or but so if monday tuesday wednesday " +
    "thursday friday saturday sunday today tonight tomorrow yesterday january february march april june july august september " +
    "october november december mr mrs ms dr mr. mrs. ms. dr. sir miss god gm gn xx idk tbh btw imo fyi aka pls plz " +
    "sis bae bro mom dad mum mama papa dude queen hubby"
  ).split(" "),
);
