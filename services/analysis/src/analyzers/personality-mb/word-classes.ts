/**
 * Word classes in the tradition of content analysis; the lists are original. A trailing `*` matches any word with that
 * prefix. Words may belong to several classes.
 */
export const WORD_CLASSES = {
  function: `a about after all also am an and any are as at be because been before being but by can could did do does doing
    down for from had has have having he her here him his how i if in into is it its just me more most my no not of off
    on only or other our out over own same she should so some such than that the their them then there these they this
    those through to too under until up us very was we were what when where which while who why will with would you your
    i'm it's don't can't that's i've i'll you're didn't doesn't isn't wasn't we're they're won't let's he's she's`,
  article: `a an the`,
  self: `i me my mine myself i'm i've i'll i'd im ive`,
  we: `we us our ours ourselves we're we've we'll we'd let's`,
  you: `you your yours yourself yourselves you're you've you'll you'd u ur ya y'all`,
  social: `friend* mate mates buddy buddies pal pals guys guy everyone everybody people folks team crowd party parties partying
    invite* invited meet meeting met hang hanging together chat* talk* talked call* called told tell telling visit* visitor*
    guest* host* hosting group* gang club clubs crew neighbour* neighbor* girlfriend* boyfriend* roommate* colleague* dance
    danced dancing celebrate* celebration* gather* join joined joining social* community dinner drinks brunch bbq reunion`,
  family: `mom mum mother* dad father* parent* sister* brother* son sons daughter* wife husband family families grand* kid kids
    baby babies child children aunt* uncle* cousin* nephew* niece* home house`,
  positive: `love loved loves loving happy happi* great good nice awesome amazing wonderful excellent fantastic beautiful best
    better fun funny glad joy* enjoy* excit* smile* smiling laugh* lol haha* yay hooray sweet cute perfect* thank* grateful
    bless* blessed lucky proud win winning won cool super brilliant delight* cheer* hope* hopeful fabulous gorgeous pleas*`,
  negative: `bad worse worst hate* hated awful terrible horrible sad sadly unhappy cry* crying cried hurt* pain* sorry miss
    missed lonely alone upset depress* miser* stress* stressed worri* worry anxious anxiety afraid scared fear* nervous
    ugly sick tired exhaust* annoy* boring bored fail* failure lose losing lost problem* wrong disappoint* regret* shame*`,
  anger: `angry anger mad rage furious hate* kill* fight* fought stupid idiot* dumb damn* hell shit* fuck* crap ass asshole*
    bitch* bastard* bullshit wtf suck* sucks jerk* pissed disgust* moron* shut loser* screw* screwed`,
  energetic: `excit* adventure* party concert* festival* travel* road trip trips dancing sing singing sang loud crazy wild
    energy energetic amaz* lets go going gonna tonight weekend yes yeah woo* woohoo omg hell wait`,
  solitary: `quiet* alone myself solitude reading read book books computer* internet online library silence silent inside
    indoors stay stayed staying home bed sleep* nap asleep introvert* shy awkward think thinking thought thoughts anime
    manga game gaming write writing wrote`,
  insight: `think* thought* know* knew known understand* understood realiz* realis* idea* concept* theory theories theoretical
    abstract* wonder* imagin* meaning meanings mean philosoph* question* consider* perspective* possib* potential vision
    symbol* metaphor* pattern* insight* reflect* ponder* universe existence conscious* mind minds complex* interpret*
    hypothe* principle* notion* dream* curious* curiosity`,
  culture: `art arts artist* music* poem* poet* poetry novel* literature literary write writer* writing book books film* movie*
    theatre theater museum* gallery paint* sculpt* design* creativ* creat* science scientif* history historical culture*
    language* philosoph* story stories fiction* fantasy sci-fi beauty human humanity world nature`,
  concrete: `today yesterday tomorrow morning afternoon evening night week month minutes hour hours car truck drive drove driving
    bus train road shop* store* buy bought cook* cooked eat* ate food lunch dinner breakfast coffee tea beer pizza chicken
    clean* kitchen door table chair floor money price* pay paid dollar* bill bills work* worked job boss office shoes shirt
    dress clothes phone water rain* weather hot cold dog dogs cat cats garden fix* repair* shower gym`,
  sensory: `see saw seen seeing look* looked hear* heard feel felt touch* taste* tasted tasty smell* warm cold hot soft hard
    loud bright dark wet dry sweet sour colour* color* red blue green black white`,
  time: `now today yesterday tomorrow week* month* year* hour* minute* day days morning night soon later until before after
    early late always when while again schedule* monday tuesday wednesday thursday friday saturday sunday`,
  feeling: `feel* felt feeling* love* loved care* cared caring heart* hug* hugs kind kindness sweet compassion* empath* sympath*
    warm gentle support* help helped helping forgiv* understand* share* sharing together harmony peace peaceful thank*
    grateful bless* sorry miss appreciate* beautiful emotion* emotional soul tears comfort* trust* dear darling xoxo xx`,
  analytic: `logic* reason* rational* analy* evidence fact facts factual data proof prove* proven argument* argue* therefore
    because cause* caused effect* result* results system* efficien* effective* technical* technolog* engineer* math*
    statistic* percent* number* calculat* measure* test* tested objective* accurate* accuracy correct* incorrect* define*
    definition* critic* debate* conclud* conclusion* compare* comparison strategy strateg* problem* solve* solution* thus`,
  planning: `plan* planned planning schedule* organi* list lists deadline* goal* target* finish* finished complete* completed
    done ready prepar* on-time punctual task* project* work* study* studied studying homework exam* assignment* meeting*
    appointment* decid* decision* decided commit* duty responsib* rule* order* tidy clean* manage* managed budget* early
    achiev* accomplish* success* routine careful* thorough*`,
  certainty: `always never definitely certainly absolutely clearly obviously exactly must sure surely every everything
    completely totally undoubtedly guarantee* final* settled decided`,
  tentative: `maybe perhaps probably possibly might guess seem* seems somewhat kinda sorta almost apparently whatever
    sometimes depends unsure somehow anyway anyways`,
  spontaneous: `random* suddenly spontaneous* whatever whenever wherever improvis* impuls* lazy procrastinat* later forgot
    forget* late distract* bored boring chill* chilling relax* wander* explore* exploring flexib* open adapt* messy mess
    last-minute random lol haha* lmao oops meh dunno idk gonna wanna kinda`,
  swear: `damn* hell shit* fuck* crap ass asshole* bitch* bastard* bullshit wtf lmfao piss* dick* bloody`,
  negation: `no not never none nothing nobody nowhere neither nor can't cannot don't won't didn't doesn't isn't wasn't aren't
    couldn't wouldn't shouldn't haven't hasn't hadn't ain't dont cant wont didnt`,
} as const;

/** The name of a word class. */
export type WordClass = keyof typeof WORD_CLASSES;

/** All classes, in the order of their bits. */
export const CLASS_NAMES = Object.keys(WORD_CLASSES) as WordClass[];
