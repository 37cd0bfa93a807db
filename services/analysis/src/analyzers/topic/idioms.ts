import type { Token } from "../../text/tokens.js";

/**
 * Phrases whose nouns mean nothing by themselves; `*` is any one word. Nouns between their first and last word are no
 * topics.
 */
const PHRASES = (
  "shaking in * boots;hold a candle;holds a candle;in the building;pockets of;dozens of;in * face;out of the closet;brain dead;fun fact;fingers crossed;cross * fingers;crossing * fingers;crossed * fingers;keep * fingers crossed;mark * words;take * word;took * word;worth every penny;every penny;" +
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
  "as hell;as fuck;as shit;holy shit;holy crap;holy cow;holy moly;bull shit;thank god;thank goodness;for god's sake;for heaven's sake;for christ's sake;for goodness sake;for fuck's sake;who gives a *;not a fan;a fan of;big fan;huge fan;* fan of"
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
