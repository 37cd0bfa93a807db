/**
 * Companies and offices that fraud pretends to be, by the words that name them, with the domains that are their own. A
 * domain counts with all its subdomains.
 */
const LIST = `
usps: usps.com
ups: ups.com
fedex: fedex.com
dhl: dhl.com dhl.de dhl.co.uk
royal mail: royalmail.com royalmail.co.uk
evri: evri.com
hermes: myhermes.co.uk evri.com
dpd: dpd.com dpd.co.uk dpd.de dpd.fr
gls: gls-group.com gls-group.eu
postnl: postnl.nl
canada post: canadapost.ca canadapost-postescanada.ca
inpost: inpost.pl inpost.co.uk
correos: correos.es
poste italiane: poste.it
la poste: laposte.fr
deutsche post: deutschepost.de
postnord: postnord.se postnord.dk postnord.com
thailand post: thailandpost.co.th
netflix: netflix.com
disney+: disneyplus.com
spotify: spotify.com
amazon: amazon.com amazon.co.uk amazon.de amazon.in amazon.fr amazon.es amazon.it amazon.co.jp amzn.to a.co amzn.eu
prime video: primevideo.com amazon.com
apple: apple.com
icloud: icloud.com apple.com
microsoft: microsoft.com live.com office.com aka.ms
outlook: outlook.com live.com
google: google.com goo.gl g.co youtube.com google.co.uk
youtube: youtube.com youtu.be
gmail: gmail.com google.com
instagram: instagram.com ig.me
facebook: facebook.com fb.com fb.me fb.watch
meta: meta.com facebook.com
whatsapp: whatsapp.com wa.me
telegram: telegram.org t.me telegram.me
tiktok: tiktok.com
snapchat: snapchat.com
linkedin: linkedin.com lnkd.in
twitter: twitter.com x.com t.co
discord: discord.com discord.gg discordapp.com
steam: steampowered.com steamcommunity.com
roblox: roblox.com
ebay: ebay.com ebay.co.uk ebay.de
paypal: paypal.com paypal.me
venmo: venmo.com
zelle: zellepay.com
cash app: cash.app
cashapp: cash.app
uber: uber.com
airbnb: airbnb.com abnb.me
booking.com: booking.com
walmart: walmart.com
costco: costco.com
samsung: samsung.com
chase: chase.com
wells fargo: wellsfargo.com
bank of america: bankofamerica.com bofa.com
citi: citi.com citibank.com
citibank: citi.com citibank.com
capital one: capitalone.com
us bank: usbank.com
td bank: td.com tdbank.com
american express: americanexpress.com aexp.com
amex: americanexpress.com
mastercard: mastercard.com
barclays: barclays.co.uk barclays.com
hsbc: hsbc.com hsbc.co.uk
lloyds: lloydsbank.com lloydsbank.co.uk
natwest: natwest.com
santander: santander.com santander.co.uk santander.es
halifax: halifax.co.uk
nationwide: nationwide.co.uk
monzo: monzo.com monzo.me
revolut: revolut.com revolut.me
ing: ing.com ing.nl ing.de
bbva: bbva.com bbva.es
caixabank: caixabank.es caixabank.com
sparkasse: sparkasse.de
sbi: sbi.co.in onlinesbi.sbi onlinesbi.com
hdfc: hdfcbank.com hdfcbk.io
icici: icicibank.com
axis bank: axisbank.com
paytm: paytm.com paytm.me
kbank: kasikornbank.com
scb: scb.co.th
krungthai: krungthai.com ktb.co.th
irs: irs.gov
hmrc: gov.uk
dvla: gov.uk
nhs: nhs.uk gov.uk
gov.uk: gov.uk
dmv: dmv.ca.gov dmv.ny.gov
e-zpass: e-zpassny.com ezpassnj.com e-zpassiag.com
ezpass: e-zpassny.com ezpassnj.com e-zpassiag.com
sunpass: sunpass.com
fastrak: bayareafastrak.org thetollroads.com
txtag: txtag.org
metamask: metamask.io
coinbase: coinbase.com
binance: binance.com
kraken: kraken.com
trust wallet: trustwallet.com
ledger: ledger.com
phantom: phantom.com phantom.app
opensea: opensea.io
uniswap: uniswap.org
docusign: docusign.com docusign.net
mcafee: mcafee.com
norton: norton.com
verizon: verizon.com vzw.com
at&t: att.com
t-mobile: t-mobile.com
vodafone: vodafone.com vodafone.co.uk vodafone.in
`;

/** The domains of each brand by its name, in lower case. */
export const BRAND_DOMAINS: ReadonlyMap<string, readonly string[]> = new Map(
  LIST.trim()
    .split("\n")
    .map((line) => {
      const at = line.lastIndexOf(": ");
      return [line.slice(0, at), line.slice(at + 2).split(" ")] as const;
    }),
);

/** Sites that anybody may link to, and that nobody can pretend to be by owning the address. */
export const WELL_KNOWN: ReadonlySet<string> = new Set(
  (
    "youtube.com youtu.be github.com medium.com substack.com instagram.com facebook.com twitter.com x.com t.co tiktok.com " +
    "reddit.com linkedin.com wikipedia.org spotify.com soundcloud.com bandcamp.com twitch.tv vimeo.com flickr.com etsy.com " +
    "eventbrite.com google.com goo.gl zoom.us gofundme.com gofund.me justgiving.com change.org patreon.com ko-fi.com " +
    "bbc.co.uk bbc.com theguardian.com nytimes.com reuters.com apnews.com cnn.com washingtonpost.com arxiv.org nature.com " +
    "stackoverflow.com imdb.com goodreads.com strava.com letterboxd.com nhs.uk gov.uk europa.eu who.int archive.org"
  ).split(" "),
);

/** Services that hide where a link leads. */
export const SHORTENERS: ReadonlySet<string> = new Set(
  (
    "bit.ly bitly.com tinyurl.com cutt.ly is.gd v.gd t.ly rb.gy shorturl.at s.id goo.su qi.lv ow.ly buff.ly tiny.cc bit.do " +
    "rebrand.ly short.gy u.to shrtco.de clck.ru vk.cc lnk.to adf.ly ouo.io soo.gd tx.vc l.ead.me 51.fi x.gd kutt.it surl.li " +
    "n9.cl acortartu.link bl.ink urlz.fr t2m.io han.gl me2.do reurl.cc urlgeni.us"
  ).split(" "),
);
