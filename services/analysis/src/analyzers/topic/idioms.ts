import type { Token } from "../../text/tokens.js";

/**
 * Phrases whose nouns mean nothing by themselves; `*` is any one word. Nouns between their first and last word are no
 * topics.
 */
const PHRASES = (
  "mark * calendar;mark * calendars;take action;takes action;took action;on the cheap;high water mark;tell tale;shaking in * boots;in * case;work * magic;works * magic;worked * magic;coming of age;word for word;by storm;some testing;in danger;in the act;on par;par for the course;in regard;oh lord;hold a candle;holds a candle;in the building;pockets of;dozens of;in * face;out of the closet;brain dead;fun fact;fingers crossed;cross * fingers;crossing * fingers;crossed * fingers;keep * fingers crossed;mark * words;take * word;took * word;worth every penny;every penny;" +
  "worth every cent;worth the money;worth * weight in gold;worth the wait;worth * time;worth the trip;piece of cake;piece of * mind;piece of shit;piece of crap;piece of junk;" +
  "peace of mind;break a leg;in * opinion;in * book;in * mind;at the end of the day;end of story;end of the day;end of the world;for * sake;on * mind;of * mind;" +
  "out of * mind;lose * mind;losing * mind;lost * mind;change * mind;changed * mind;made up * mind;make up * mind;make * mind up;blows * mind;blew * mind;never * mind;" +
  "out of * league;hold * breath;holding * breath;waste of time;waste of money;waste of space;waste * breath;keep * eye on;an eye on;in * eyes;my eyes out;believe * eyes;" +
  "apple of * eye;make * day;made * day;makes * day;making * day;call it a day;save the day;in * hands;on * hand;hands down;second to none;hats off;thumbs up;thumbs down;" +
  "two thumbs up;on point;on top of;on board;on track;on purpose;on demand;on repeat;on display;on sale;on hold;on time;in time;in advance;in fact;in part;in love;in line;in place;in person;in public;in private;" +
  "in progress;in question;in touch;in trouble;in use;in vain;in store;in sight;in short;in shape;in return;in response;in need;in control;in common;in charge;in case;in action;in style;in shock;in peace;in luck;in awe;" +
  "by accident;by mistake;by chance;by far;by heart;by surprise;by hand;by name;by nature;by law;by default;by the way;by all means;by any means;for sure;for real;for granted;for instance;for example;for fun;for once;for free;for good;for sale;for life;for work;" +
  "for * life;for what it's worth;out of control;out of order;out of stock;out of nowhere;out of touch;out of place;out of the blue;out of the question;out of the box;out of hand;" +
  "under control;under pressure;under way;up to date;up to * standards;up to par;up to speed;up to scratch;over the moon;over the top;off the charts;off the hook;" +
  "around the corner;around the clock;around the world;around the globe;in the world;of the world;all over the world;on earth;on the planet;in the universe;in the house;in the area;" +
  "of all time;all of the sudden;all of a sudden;at all costs;at * cost;at any rate;at first;at last;at least;at stake;at work;at home;at hand;at ease;at heart;at length;at peace;at once;at times;at some point;at this point;" +
  "at the moment;at the top;at the bottom;at the back;at the front;at the door;at the time;at the same time;to the point;to the max;to the core;to the fullest;to some extent;to an extent;to * surprise;to * knowledge;to * credit;to * liking;" +
  "to * heart;from * heart;heart and soul;a couple of;a lot of;lots of;a bunch of;a ton of;tons of;loads of;a load of;a bit of;a piece of;a pair of;a set of;a kind of;a sort of;a type of;a matter of;a number of;a variety of;a range of;a wealth of;" +
  "a plethora of;a series of;a handful of;a fraction of;a majority of;the majority of;the rest of;the amount of;the lack of;a lack of;the fact that;the point of;the kind of;" +
  "a heck of;a hell of;one hell of;no brainer;no doubt;no idea;no clue;no wonder;no problem;no matter;no offense;no offence;no joke;no chance;no rush;no worries;no regrets;no thanks;no reason;no point;no use;no need;no sign of;no stranger;" +
  "no pun intended;make sense;makes sense;made sense;making sense;sense of humor;sense of humour;have a point;has a point;take care;take part;take place;took place;takes place;taking place;takes the cake;take the cake;take note;take advantage;" +
  "take a break;take a look;took a look;have a look;take a seat;take a chance;take a bow;take * time;take it easy;take * hat off;give * a chance;give * a try;give it a go;give it a shot;give a damn;give a shit;give a fuck;gives a fuck;gives a shit;" +
  "gave * a try;worth a try;worth a shot;worth a look;pay attention;paid attention;catch * eye;caught * eye;hit the road;hit the nail;hit the spot;hits the spot;on the head;spill the beans;bite the bullet;" +
  "pull * leg;pulling * leg;cost an arm;arm and a leg;costs an arm;under the weather;tip of the iceberg;icing on the cake;cherry on top;ball is in;the last straw;final straw;back to square one;beat around the bush;" +
  "cup of tea;* cup of tea;a blessing in disguise;blessing in disguise;once in a blue moon;in a nutshell;long story short;speak of the devil;the devil is in;elephant in the room;skin of * teeth;" +
  "add insult to injury;burn bridges;cut corners;cutting corners;cuts corners;jump on the bandwagon;let the cat out;on cloud nine;rain on * parade;raining cats and dogs;cats and dogs;see eye to eye;sit on the fence;" +
  "steal * thunder;through the roof;down the drain;go down the drain;going in circles;going around in circles;running in circles;run in circles;in circles;goes in circles;round in circles;to crumbs;to pieces;fell to pieces;falls to pieces;falling to pieces;in pieces;" +
  "to shreds;to bits;for crumbs;left with crumbs;cost a fortune;costs a fortune;cost a bomb;a steal;daylight robbery;highway robbery;rip off;rule of thumb;bang for * buck;bang for the buck;value for money;money's worth;money well spent;" +
  "good luck;best of luck;wish * luck;with any luck;happy birthday;good morning;good night;good evening;good afternoon;good job;great job;nice job;good work;good point;fair point;good call;good news;bad news;big deal;" +
  "kind regards;best regards;warm regards;best wishes;warm wishes;many thanks;much love;lots of love;happy new year;my bad;my fault;my pleasure;my apologies;my goodness;my god;oh my god;my word;on * way;in * way;all the way;in a way;" +
  "by * side;on * side;on the other hand;on one hand;on the one hand;hand in hand;side by side;step by step;day by day;bit by bit;little by little;one by one;face to face;back to back;head to head;head over heels;neck and neck;word of mouth;" +
  "last but not least;better late than never;time after time;from time to time;from day one;day in day out;the other day;these days;those days;this time;next time;every time;first time;some time;any time;long time;" +
  "get the job done;does the job;do the job;did the job;does the trick;do the trick;did the trick;the icing on;talk of the town;state of mind;point of view;on the edge of * seat;edge of * seat;on the other side;jokes apart;jokes aside;" +
  "all jokes aside;set foot;foot the bill;drop the ball;dropped the ball;raise the bar;raised the bar;raises the bar;set the bar;on the table;off the table;shoot * shot;shot in the dark;* two cents;two cents;my 2 cents;off * chest;" +
  "stand * ground;to name a few;the bottom line;in the end;in the long run;on the go;on the run;on the road;on the fence;on the fly;on the rise;on the whole;on the ground;on the line;on the spot;on the verge;as a matter of fact;as a result;" +
  "as a whole;as a rule;in the first place;in the meantime;in the making;in the mood;in the mix;in the works;in the lead;in the way;in this case;in that case;in any case;in no time;in good hands;in good shape;in a row;in a hurry;in a rush;in addition;in contrast;" +
  "in conclusion;in summary;in theory;in practice;in reality;in particular;in general;in order to;in order;in terms of;in spite of;in favor of;in favour of;in light of;in front of;in the middle of;in the back of;with regard to;with respect to;" +
  "with all due respect;with pleasure;without a doubt;without doubt;without question;without fail;beyond belief;beyond words;of course;off course;of note;off guard;off topic;to death;to tears;* to tears;to hell;the hell;the fuck;what the heck;like hell;like crap;like shit;" +
  "as hell;as fuck;as shit;holy shit;holy crap;holy cow;holy moly;bull shit;thank god;thank goodness;for god's sake;for heaven's sake;for christ's sake;for goodness sake;for fuck's sake;who gives a *;not a fan;a fan of;big fan;huge fan;* fan of;" +
  "pull the rug;pulling the rug;pulled the rug;the rug from under;run of the mill;runs the gamut;run the gamut;run out of ideas;right mind;one whit;" +
  "not one whit;have a blast;had a blast;having a blast;was a blast;a shit ton;at * job;* head spin;in * head;out of * head;over * head;off the top of;" +
  "turn heads;turns heads;scratching * head;shake * head;shaking * head;break * heart;broke * heart;breaks * heart;breaking * heart;warm * heart;" +
  "warms * heart;with all * heart;bless * heart;to heart;by the book;close the book;throw the book;in the books;for the books;the evil eye;bat an eye;" +
  "bats an eye;turn a blind eye;blind eye;an eye for;in the eye of;the naked eye;drop in the bucket;kick the bucket;eat * words;lost for words;at a loss;" +
  "cut * losses;* loss for words;sorry for * loss;catch a break;catch * breath;out of breath;under * breath;breath of fresh air;food for thought;" +
  "second thought;second thoughts;on second thought;train of thought;piece of work;piece of art;work of art;works of art;labor of love;labour of love;" +
  "force of nature;matter of time;matter of fact;matter of opinion;point of no return;point in time;in point of fact;course of action;out of course;" +
  "change of heart;change of pace;change of mind;turn of events;figure of speech;flight of fancy;slip of the tongue;stroke of luck;stroke of genius;" +
  "rite of passage;moment of truth;ray of hope;ray of light;ray of sunshine;light of day;see the light;saw the light;in the light of;" +
  "at the end of the tunnel;light at the end;in the dark;shot in the arm;pain in the ass;pain in the neck;pain in the arse;pain in * ass;kick ass;" +
  "kicks ass;kicked ass;kick * ass;* ass off;my ass;* ass out of;saves us the trouble;worth the trouble;go to bed;goes to bed;going to bed;went to bed;" +
  "off to bed;gone to bed;get out of bed;in bed;to bed;go to sleep;goes to sleep;going to sleep;went to sleep;get some sleep;back to sleep;to sleep;" +
  "lose sleep;losing sleep;go to work;going to work;goes to work;went to work;to work;get the job;" +
  "on the job;do * job;doing * job;job well done;the job done;play a part;play the part;play * part;play a role;plays a role;played a role;in the loop;" +
  "out of the loop;in the same boat;same boat;rock the boat;missed the boat;miss the boat;on the same page;same page;on the other foot;in * shoes;" +
  "in * place;if the shoe fits;wrong foot;right foot;put * foot down;on * feet;get cold feet;cold feet;jump the gun;jumped the gun;stick to * guns;" +
  "smoking gun;long shot;big shot;call the shots;calling the shots;give * best shot;best shot;by a long shot;call it a night;make a move;making moves;" +
  "take the lead;hit the ground;hit the floor;hit the fan;off the ground;to the ground;on the floor;through the floor;take the floor;ahead of the curve;" +
  "behind the scenes;behind * back;back in the day;back of * mind;have * back;got * back;has * back;watch * back;turn * back;on * back;off * back;" +
  "a pat on the;stab in the;the cold shoulder;cold shoulder;in cold blood;blood boil;make a killing;make a fuss;make a fool of;making a fool of;" +
  "make fun of;making fun of;made fun of;makes fun of;poke fun at;have fun;had fun;having fun;so much fun;too much fun;in good faith;in bad taste;" +
  "good taste;bad taste;in good taste;for a change;for a spin;for a ride;along for the ride;for the ride;for the record;on record;on the record;" +
  "off the record;broken record;track record;beat * to the punch;pack a punch;packs a punch;roll with the punches;a silver lining;silver platter;" +
  "on the market;to the table;at the table;under the table;turn the tables;level playing field;playing field;game changer;piss * off;in the bag;" +
  "the cat's out;cat out of the bag;mixed bag;bag of tricks;up * sleeve;in the air;up in the air;on the air;on air;clear the air;castles in the air;" +
  "walking on air;castle in the sky;the sky's the limit;down to earth;on thin ice;break the ice;tip of * tongue;bite * tongue;over * shoulder;" +
  "chip on * shoulder;weight off * shoulders;weight on * shoulders;pull * weight;carry weight;carries weight;more weight;throw * weight;under fire;" +
  "add fuel to;fuel to the fire;where there's smoke;up in smoke;up in flames;old flame;rub salt in;grain of salt;pinch of salt;salt of the earth;" +
  "worth * salt;in hot water;blow off steam;let off steam;out of steam;full steam ahead;under * skin;thick skin;by the skin of;jump out of * skin;" +
  "no skin off;in * blood;from scratch;start from scratch;slap in the face;face value;at face value;straight face;save face;lose face;face the music;" +
  "to * face;in your face;music to * ears;all ears;play it by ear;in one ear;up to * ears;wet behind the ears;by the balls;the balls to;have the guts;" +
  "got the guts;hate * guts;gut feeling;have the nerve;got the nerve;the nerve to;get on * nerves;gets on * nerves;on * nerves;have the audacity;jaw drop;" +
  "jaw on the floor;knees weak;kick the habit;jack of all trades;name of the game;in the name of;make a name for;by the name of;a household name;" +
  "for heaven sake;for heaven's sakes;seventh heaven;in heaven;match made in heaven;thank heavens;good heavens;hell of a;to the moon;once upon a time;" +
  "day and age;in this day;day to day;all day long;night and day;day and night;by day;by night;at night;dead of night;night out;in the morning;of the day;" +
  "of the year;of the week;of the month;of the season;of the decade;of the century;way of life;way of thinking;the way of;in the eyes of;a world of;" +
  "world of difference;world of * own;best of both worlds;the whole world;worlds apart;out of this world;dream come true;dreams come true;in * dreams;" +
  "in * wildest dreams;living the dream;live the dream;state of affairs;state of the art;the state of;cause for concern;room for improvement;" +
  "leaves room for;leave room for;room for;elbow room;wild goose chase;cut to the chase;birds of a feather;bird's eye view;a bird in the hand;" +
  "kill two birds;one stone;set in stone;stone's throw;rocks * socks;rock * socks;knock * socks off;knocked * socks off;pull * socks up;give credit;" +
  "credit where;credit is due;on * part;for * part;on * account;on account of;by virtue of;at the expense of;at * expense;with flying colors;" +
  "with flying colours;true colors;true colours;in black and white;red flag;red flags;green light;white lie;out of * depth;in depth;in hindsight;" +
  "twist of fate;twists and turns;ups and downs;pros and cons;odds and ends;bits and pieces;nuts and bolts;ins and outs;dos and don'ts;bread and butter;" +
  "wear and tear;trial and error;safe and sound;pins and needles;hustle and bustle;smoke and mirrors;law of the land;lay of the land;land of the living;" +
  "lie of the land;on dry land;can of worms;bag of bones;needle in a haystack;last resort;in the offing;off the wall;driving me up the wall;up the wall;" +
  "back to the wall;writing on the wall;fly on the wall;handwriting on the wall;between the lines;read between the lines;draw the line;end of the line;" +
  "top of the line;in line with;out of line;on the dot;hit or miss;in a bind;close call;close shave;tight spot;soft spot;on cue;on edge;on the edge;" +
  "on a roll;on a whim;on the brink;on the loose;on the mend;on the prowl;on the rocks;on the ropes;on the side;on the sly;on the way;on top;at odds;" +
  "at odds with;at large;at random;at risk;at will;in a pickle;in a rut;in a sense;in a while;once in a while;for a while;a while back;in awe of;in bits;" +
  "in due course;in essence;in full;in full swing;in jest;in keeping with;in kind;in memory of;in mint condition;in poor taste;in turn;in unison;in vogue;" +
  "under * belt;under * nose;under the impression;under the radar;under wraps;up * alley;up for grabs;up the ante;above board;above the law;" +
  "across the board;against all odds;against the clock;ahead of * time;by the skin;by the dozen;by word of mouth;from the heart;from * perspective;" +
  "from the get-go;out of * way;out of the woods;out of the ordinary;out of luck;out of respect;out of spite;out of thin air;out of character;" +
  "over the hill;over the edge;over the line;past * prime;to a fault;to a T;to date;to the bone;to the contrary;to the letter;to the tune of;within reach;" +
  "out of reach;within reason;without a hitch;the last laugh;last laugh;good laugh;a good laugh;for laughs;dead end;dead weight;loose end;loose ends;" +
  "loose cannon;low blow;raw deal;short end of;sore thumb;stick in the mud;the icing;thin air;third wheel;tough cookie;tough luck;uphill battle;" +
  "vicious circle;vicious cycle"
)
  .split(";")
  .map((phrase) => phrase.split(" "));

const BY_FIRST = new Map<string, string[][]>();
for (const phrase of PHRASES) {
  const first = phrase[0] ?? "";
  BY_FIRST.set(first, [...(BY_FIRST.get(first) ?? []), phrase]);
}

const ANY_FIRST = BY_FIRST.get("*") ?? [];

/** The indexes of the tokens in idioms: nouns among them say nothing about what a text is about. */
export function idiomTokens(tokens: readonly Token[]): ReadonlySet<number> {
  const found = new Set<number>();
  tokens.forEach(({ lower }, at) => {
    for (const phrases of [BY_FIRST.get(lower) ?? [], ANY_FIRST]) {
      for (const phrase of phrases) {
        if (!isAt(tokens, phrase, at)) continue;
        for (let step = 0; step < phrase.length; step++) found.add(at + step);
      }
    }
  });
  return found;
}

function isAt(tokens: readonly Token[], phrase: readonly string[], at: number): boolean {
  return phrase.every((word, step) => {
    const token = tokens[at + step];
    if (token === undefined || (step > 0 && token.newLine)) return false;
    return word === "*" ? token.kind === "word" : token.lower === word;
  });
}
