/** What people post about: the fillers of the slots of rows written for upper layers. No filler tells the row's label. */
const SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  gadget: (
    "phone|laptop|keyboard|vacuum|kettle|camera|printer|tablet|headset|speaker|router|drill|blender|monitor|smartwatch|microwave|" +
    "toaster|e-reader|mouse|charger|mattress|backpack|bike|dishwasher|air fryer|coffee machine|fan|heater|lamp|washing machine"
  ).split("|"),
  food: (
    "burger|pizza|ramen|burrito|croissant|curry|taco|sushi|pie|sandwich|salad|soup|cake|pasta|dumplings|kebab|coffee|ice cream|" +
    "brunch|steak|fries|noodles|bagel|risotto|falafel|pancakes|lasagna|milkshake|matcha|birria"
  ).split("|"),
  place: (
    "café|bakery|hotel|gym|barber|library|campsite|bar|clinic|restaurant|museum|pub|salon|garage|pharmacy|hostel|cinema|spa|pool|" +
    "market|bookshop|diner|dentist|supermarket|airport|festival|swimming pool|zoo|car wash|food truck"
  ).split("|"),
  work: (
    "film|album|series|song|game|remix|book|episode|trailer|sequel|podcast|mixtape|documentary|musical|play|soundtrack|remake|" +
    "season|track|novel|DLC|expansion|playlist|beat|verse|finale"
  ).split("|"),
  software: (
    "app|update|patch|website|beta|redesign|plugin|release|new version|interface|dashboard|browser|operating system|firmware|" +
    "dark mode|search|chatbot|map|login page|checkout"
  ).split("|"),
  outfit: "jacket|fit|haircut|sneakers|dress|tattoo|hoodie|boots|jeans|makeup|nails|glasses|kit|jersey|coat|cap".split(
    "|",
  ),
  who: (
    "my sister|my brother|my boss|our neighbor|my dad|my mum|the landlord|my coach|our teacher|my flatmate|the plumber|my cousin|" +
    "a colleague|my grandmother|the waiter|our manager|my best friend|the driver|my wife|my husband"
  ).split("|"),
  official: (
    "The minister|The mayor|The airline|The company|The bank|The CEO|The club|The president|The bishop|The police|The council|" +
    "The broadcaster|The network|The governor|The school|The hospital|The supermarket|The senator|The manufacturer|The operator"
  ).split("|"),
  brand:
    "Bosch|Sony|Logitech|Samsung|Lenovo|Philips|Dyson|Nokia|Canon|Garmin|Asus|Anker|Xiaomi|LG|Dell|Makita|Braun".split(
      "|",
    ),
  rival: "Apple|HP|Tefal|Huawei|Acer|Bose|Nikon|Fitbit|Razer|Siemens|Miele|JBL|Motorola|Epson|Ryobi|Panasonic".split(
    "|",
  ),
  day: "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|the weekend|the 3rd|the 14th|noon|the evening".split(
    "|",
  ),
  city: "Leeds|Porto|Denver|Lyon|Nairobi|Osaka|Cork|Krakow|Austin|Perth|Ghent|Malmö|Seville|Toronto|Pune|Tampa".split(
    "|",
  ),
  name: "Anna|Tom|Maria|James|Priya|Ali|Sofia|Lukas|Mei|Noah|Fatima|Olga|Diego|Emma|Kofi|Yuki|Ben|Laura|Omar|Nina".split(
    "|",
  ),
  number: "two|three|four|five|six|eight|ten|12|15|20|24|30|40|60|90|150".split("|"),
};

type Random = () => number;

/** Fills slots such as `{gadget}`, each time differently; a slot that occurs twice in a line is filled with the same. */
export const fillSubjects = (line: string, random: Random): string => {
  const chosen = new Map<string, string>();
  return line.replace(/\{(\w+)\}/g, (whole, slot: string) => {
    const fillers = SUBJECTS[slot];
    if (fillers === undefined) return whole;
    const filler = chosen.get(slot) ?? fillers[Math.floor(random() * fillers.length)]!;
    chosen.set(slot, filler);
    return filler;
  });
};

/** Shares of the rows that are written as many posts are: in lower case, and without the point at the end. */
const LOWER = 0.25;
const OPEN = 0.3;

/** The text, sometimes in lower case or without the point at its end. */
export const asPosted = (text: string, random: Random): string => {
  const open = random() < OPEN && /[^.]\.$/.test(text) ? text.slice(0, -1) : text;
  return random() < LOWER ? open.toLowerCase() : open;
};
