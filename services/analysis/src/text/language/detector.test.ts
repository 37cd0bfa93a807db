import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detectLanguage } from "./detector.js";

const codeOf = (text: string): string => detectLanguage(text).code;

describe("detectLanguage", () => {
  it.each([
    ["en", "The weather was lovely yesterday, so we walked along the river."],
    ["de", "Gestern war das Wetter schön, deshalb sind wir am Fluss spazieren gegangen."],
    ["fr", "Hier il faisait beau, alors nous nous sommes promenés au bord de la rivière."],
    ["es", "Ayer hizo buen tiempo, así que paseamos por la orilla del río."],
    ["it", "Ieri il tempo era bello, quindi abbiamo passeggiato lungo il fiume."],
    ["nl", "Gisteren was het mooi weer, dus hebben we langs de rivier gewandeld."],
    ["pt", "Ontem o tempo estava bom, por isso passeámos à beira do rio."],
    ["pl", "Wczoraj była piękna pogoda, więc poszliśmy na spacer nad rzekę."],
    ["tr", "Dün hava çok güzeldi, bu yüzden nehir boyunca yürüdük."],
    ["ru", "Вчера была прекрасная погода, поэтому мы гуляли вдоль реки."],
    ["uk", "Учора була чудова погода, тому ми гуляли вздовж річки."],
    ["ar", "كان الطقس جميلا أمس، لذلك تمشينا على طول النهر."],
    ["fa", "دیروز هوا خیلی خوب بود، برای همین کنار رودخانه قدم زدیم."],
    ["he", "אתמול היה מזג אוויר יפה ולכן טיילנו לאורך הנהר."],
    ["hi", "कल मौसम बहुत अच्छा था इसलिए हम नदी के किनारे टहलने गए।"],
    ["zh", "昨天天气很好，所以我们沿着河边散步。"],
    ["ja", "昨日は天気が良かったので、川沿いを散歩しました。"],
    ["ko", "어제는 날씨가 좋아서 강변을 따라 산책했어요."],
    ["th", "เมื่อวานอากาศดีมาก เราเลยเดินเล่นริมแม่น้ำ"],
    ["el", "Χθες ο καιρός ήταν καλός, γι' αυτό περπατήσαμε δίπλα στο ποτάμι."],
  ])("knows %s", (code, text) => {
    const { code: found, prob } = detectLanguage(text);
    expect(found).toBe(code);
    expect(prob).toBeGreaterThan(0.8);
  });

  it.each([
    "SOOOO HAPPY RIGHT NOW OMG!!!!",
    "lmao idk bruh that was wild fr",
    "@ana_garcia @juan happy bday bro 🎉🎉 https://example.es/el-dia-de-hoy",
    "cant believe messi left barca smh",
    "ugh i hate mondaysssss",
    "sooooo goooood",
    "waaaay toooo muuuch",
    "nooooo wayyyy",
    "tooooo haaaard",
  ])("takes English posts for English: %s", (text) => {
    expect(codeOf(text)).toBe("en");
  });

  it.each([
    "lol",
    "ok",
    "haha",
    "hahahaha",
    "omg",
    "LMAO",
    "nice",
    "yay",
    "meh",
    "bruh",
    "Messi",
    "pizza",
    "gg",
    "hmm",
    "yaaaay",
    "hahaaaa noooo",
    "omggggg yaaaaas",
    "sooo cuuuute",
  ])("calls a word that many languages share English or nothing: %s", (text) => {
    expect(["en", "und"]).toContain(codeOf(text));
  });

  it.each([
    ["nothing", ""],
    ["white space", " \n\t "],
    ["digits", "0123 456-789 2024"],
    ["emoji", "👍👍🏽 👨‍👩‍👧 ❤️ 1️⃣"],
    ["one letter", "x"],
    ["an address", "https://example.com/der-und-die"],
    ["lone surrogates", "\ud800 \udc00\udc00 \ud83d"],
  ])("says und of %s", (_, text) => {
    expect(detectLanguage(text)).toEqual({ code: "und", prob: 0 });
  });

  it("knows other languages by their elongated words, too", () => {
    expect(codeOf("siiiiii muuuuy buenooo")).toBe("es");
    expect(codeOf("neeeeein, das glaaaaube ich niiiicht")).toBe("de");
  });

  it.each([
    [
      "two sentences",
      "Today we open our new museum in the old harbour. Heute öffnen wir unser neues Museum im alten Hafen.",
    ],
    ["two lines", "the train is late again, what a surprise\nel tren llega tarde otra vez, menuda sorpresa"],
    ["two clauses", "Das Essen war wirklich sehr kalt und trocken, but I loved the view and the friendly staff"],
    ["two clauses without a comma", "The food was great but el servicio fue muy lento y no volveremos"],
    ["two short clauses", "I love it aber das Essen war kalt"],
  ])("says mul of a text that changes its language: %s", (_, text) => {
    expect(codeOf(text)).toBe("mul");
  });

  it.each([
    ["en", "My grandmother always said: c'est la vie. We laughed about it for years and years."],
    ["de", "Er sagt immer: no pain, no gain, und dann lacht er laut. Wir haben ihn damals in der Schule gekannt."],
    ["de", "Gestern lief wieder einmal Game of Thrones und danach sind wir alle früh ins Bett gegangen."],
  ])("takes a quotation for no change of the language: %s", (code, text) => {
    expect(codeOf(text)).toBe(code);
  });

  it("looks past addresses, handles, digits and emoji", () => {
    expect(codeOf("@best_of_the_world 100% das glaube ich dir nicht 😂 https://example.com/this/is/english")).toBe(
      "de",
    );
  });

  it("reads letters in dress", () => {
    expect(codeOf("𝓽𝓱𝓲𝓼 𝓲𝓼 𝓽𝓱𝓮 𝓫𝓮𝓼𝓽 𝓭𝓪𝔂 𝓸𝓯 𝓶𝔂 𝓵𝓲𝓯𝓮")).toBe("en");
    expect(codeOf("Können wir uns morgen früh treffen?".normalize("NFD"))).toBe("de");
  });

  it.each([
    ["ml", "ഇന്നലെ കാലാവസ്ഥ വളരെ നല്ലതായിരുന്നു"],
    ["km", "ម្សិលមិញអាកាសធាតុល្អណាស់"],
    ["am", "ትናንት የአየር ሁኔታው በጣም ጥሩ ነበር"],
  ])("knows a language by a script only it uses: %s", (code, text) => {
    expect(codeOf(text)).toBe(code);
  });

  it("reads all of a long text", () => {
    const german = "Und dann gingen wir alle zusammen nach Hause, weil es schon spät war. ".repeat(280);
    expect(codeOf(`Hello everyone, this is the news. ${german}`)).toBe("de");
  });

  it("tells the language most of a mixed text is in", () => {
    expect(codeOf("Okay guys, heute gehen wir mal wieder alle zusammen ins Schwimmbad, see you there")).toBe("de");
    expect(codeOf("Мы вчера посмотрели новый фильм, it was great, и всем очень понравилось")).toBe("ru");
  });

  it.each([
    ["zh", "我們明天一起去海邊看日出，LET US GO TO THE BEACH."],
    ["zh", "昨天在 Apple Store Fifth Avenue 买了新的手机，AirPods Pro 也很好 #Apple #iPhone"],
    ["ja", "NEW ARRIVALS! SHOP NOW 新作のスニーカーが届きました #Nike"],
    ["ko", "Netflix Stranger Things Season 5 드디어 시작했어요"],
    ["th", "LET US GO TO THE BEACH พรุ่งนี้เราไปทะเลด้วยกันนะ"],
    ["ar", "LIMITED EDITION 2026 وصلت المجموعة الجديدة إلى المتجر اليوم"],
    ["he", "Louis Vuitton x Supreme COLLECTION אספנו את הנעליים החדשות היום"],
    ["hi", "Happy Diwali MUMBAI आप सभी को त्योहार की बधाई #Diwali"],
    ["el", "BLACK FRIDAY SALE NOW ON, ήρθαν τα καινούργια παπούτσια στο μαγαζί"],
    ["ru", "Marvel Studios AVENGERS ENDGAME, вчера наконец посмотрели фильм #Marvel https://example.com/in/english"],
    ["ml", "HAPPY ONAM KERALA ഇന്നലെ കാലാവസ്ഥ വളരെ നല്ലതായിരുന്നു"],
  ])(
    "knows a language of another script by its own words, beside English names, slogans and tags: %s %s",
    (code, text) => {
      expect(codeOf(text)).toBe(code);
    },
  );

  it.each([
    "Can't wait to see the cherry blossom in 東京 and 大阪 with my friends",
    "Somebody please explain to me what спасибо means",
    "JUST LANDED IN 東京",
  ])("takes English that quotes a word of another script for English: %s", (text) => {
    expect(codeOf(text)).toBe("en");
  });

  it("gives any string a language or none, and a probability", () => {
    const strings = fc.oneof(
      fc.string({ unit: "binary", maxLength: 120 }),
      fc.string({ unit: "grapheme", maxLength: 120 }),
      fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 120 }).map((units) => String.fromCharCode(...units)),
    );
    fc.assert(
      fc.property(strings, (text) => {
        const { code, prob } = detectLanguage(text);
        expect(code).toMatch(/^(?:[a-z]{2}|und)$/);
        expect(prob).toBeGreaterThanOrEqual(0);
        expect(prob).toBeLessThanOrEqual(1);
        expect(detectLanguage(text)).toEqual({ code, prob });
      }),
      { numRuns: repeats(60) },
    );
  });

  it.each(["a", "é", "@", "a@", "ẗ̈".slice(1), "漢", "'", "\ud83d"])(
    "takes 20,000 times the same in its stride: %j",
    (piece) => {
      expect(detectLanguage(piece.repeat(20_000)).code).toMatch(/^(?:[a-z]{2}|und)$/);
    },
  );
});
