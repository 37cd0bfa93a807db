// Draws documents, posts and pages of programs with a browser, for training the words "document" and "screenshot".
// Run: node services/training/vision/own-words/render_pages.mjs DIR   (CHROMIUM_PATH names the browser)
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";
const out = path.resolve(process.argv[2]);
for (const word of ["document", "screenshot"]) mkdirSync(path.join(out, word), { recursive: true });
let seed = 11;
const R = () => {
  seed = (seed * 1664525 + 1013904223) % 4294967296;
  return seed / 4294967296;
};
const pick = (a) => a[Math.floor(R() * a.length)];
const int = (a, b) => a + Math.floor(R() * (b - a + 1));
const W =
  "the of a service report annual customer we are pleased to inform you that your order has been shipped please find attached invoice number total amount due date payment delivery address market growth in third quarter was higher than expected team meeting notes project plan next steps budget review product quality good bad phone battery screen support called twice nobody answered today yesterday week month election city council library school children water energy climate change research shows study people".split(
    " ",
  );
const words = (n) => {
  const s = [];
  for (let i = 0; i < n; i++) s.push(pick(W));
  const t = s.join(" ");
  return t[0].toUpperCase() + t.slice(1);
};
const sent = (n) => Array.from({ length: n }, () => words(int(5, 16)) + ".").join(" ");
const names =
  "Anna Keller,Tom Baker,Maria Rossi,Jean Dupont,Li Wei,Omar Said,Kate Mills,Ivan Petrov,Sara Nilsson,Diego Ruiz".split(
    ",",
  );
const fonts = [
  "Georgia, serif",
  "Arial, sans-serif",
  '"Times New Roman", serif',
  "Verdana, sans-serif",
  '"DejaVu Sans"',
  "monospace",
  '"Liberation Serif"',
  '"Liberation Sans"',
];
const css = (bg, fg) =>
  `body{margin:0;background:${bg};color:${fg};font-family:${pick(fonts)};font-size:${int(11, 18)}px;line-height:${1.2 + R() * 0.5}}`;
const table = () => {
  const c = int(3, 6);
  return (
    `<table border=${int(0, 1)} cellpadding=${int(3, 8)} style="border-collapse:collapse;width:100%">` +
    `<tr style="background:${pick(["#eee", "#fff", "#dde6f0"])}">` +
    Array.from({ length: c }, () => `<th align=left>${words(1)}</th>`).join("") +
    "</tr>" +
    Array.from(
      { length: int(4, 14) },
      () =>
        "<tr>" +
        Array.from({ length: c }, (_, i) => `<td>${i ? (R() * 1000).toFixed(2) : words(2)}</td>`).join("") +
        "</tr>",
    ).join("") +
    "</table>"
  );
};
const doc = () => {
  const kind = pick(["letter", "invoice", "article", "columns", "form", "list"]);
  const pad = int(30, 80);
  let b;
  if (kind === "letter")
    b =
      `<p>${pick(names)}<br>${int(1, 200)} ${words(1)} Street<br>${words(1)}</p><p align=right>${int(1, 28)} ${pick(["May", "June", "March"])} 20${int(10, 26)}</p><p>Dear ${pick(names)},</p>` +
      Array.from({ length: int(3, 6) }, () => `<p>${sent(int(2, 5))}</p>`).join("") +
      `<p>Sincerely,<br><br>${pick(names)}</p>`;
  else if (kind === "invoice")
    b = `<h1>${pick(["Invoice", "Receipt", "Quotation", "Order", "Statement"])}</h1><p>${words(3)} Ltd, ${int(1, 99)} ${words(1)} Road</p><p>No. ${int(1000, 99999)}</p>${table()}<h3 align=right>Total ${(R() * 5000).toFixed(2)}</h3><p>${sent(2)}</p>`;
  else if (kind === "article")
    b =
      `<h1>${words(int(3, 7))}</h1>` +
      Array.from(
        { length: int(4, 8) },
        () => `${R() < 0.3 ? `<h3>${words(3)}</h3>` : ""}<p style="text-align:justify">${sent(int(3, 7))}</p>`,
      ).join("");
  else if (kind === "columns")
    b =
      `<h2 align=center>${words(5)}</h2><div style="columns:${int(2, 3)};text-align:justify">` +
      Array.from({ length: int(6, 12) }, () => `<p>${sent(int(3, 6))}</p>`).join("") +
      "</div>";
  else if (kind === "form")
    b =
      `<h2>${words(3)}</h2>` +
      Array.from(
        { length: int(6, 14) },
        () =>
          `<p>${words(2)}: <span style="border-bottom:1px solid #555;display:inline-block;width:${int(100, 350)}px">${R() < 0.5 ? words(2) : "&nbsp;"}</span></p>`,
      ).join("") +
      `<p>${sent(2)}</p>`;
  else
    b =
      `<h2>${words(4)}</h2><ul>` +
      Array.from({ length: int(6, 16) }, () => `<li>${words(int(3, 10))}`).join("") +
      `</ul><p>${sent(3)}</p>` +
      (R() < 0.5 ? table() : "");
  return `<style>${css(pick(["#fff", "#fff", "#fffef8", "#f7f5ee"]), pick(["#000", "#222", "#333"]))}</style><div style="padding:${pad}px">${b}</div>`;
};
const faces = readdirSync(path.join(out, "photos")).filter((f) => /cognitive|gcompris/.test(f));
const post = () => {
  const dark = R() < 0.4;
  const bg = dark ? pick(["#000", "#15202b", "#1c1c1e"]) : "#fff",
    fg = dark ? "#eee" : "#111",
    mut = dark ? "#8899a6" : "#657786";
  const n = int(1, 4);
  return (
    `<style>${css(bg, fg)}body{font-family:${pick(["Arial", '"DejaVu Sans"', "Verdana"])},sans-serif}</style>` +
    (R() < 0.5
      ? `<div style="padding:10px 16px;border-bottom:1px solid ${mut}44;font-weight:bold">${pick(["Post", "Home", "Thread", "Comments", "Feed"])}</div>`
      : "") +
    Array.from(
      { length: n },
      () =>
        `<div style="padding:14px 16px;border-bottom:1px solid ${mut}44;display:flex;gap:10px"><div style="width:44px;height:44px;border-radius:${pick(["50%", "50%", "6px"])};background:${R() < 0.6 ? `url(file://${out}/photos/${encodeURIComponent(pick(faces))}) center/cover` : `hsl(${int(0, 360)} 50% 55%)`};flex:none"></div><div style="flex:1"><b>${pick(names)}</b> <span style="color:${mut}">@${pick(W)}${int(1, 99)} · ${int(1, 23)}h</span><div style="margin:6px 0;font-size:${pick([15, 17, 20])}px">${sent(int(1, 3))} ${R() < 0.4 ? `<span style="color:#1d9bf0">#${pick(W)}</span>` : ""}</div>${R() < 0.35 ? `<div style="height:${int(120, 260)}px;border-radius:14px;background:url(file://${out}/photos/${encodeURIComponent(pick(faces))}) center/cover"></div>` : ""}<div style="color:${mut};display:flex;gap:36px;margin-top:8px;font-size:13px"><span>💬 ${int(0, 300)}</span><span>🔁 ${int(0, 900)}</span><span>♥ ${int(0, 5000)}</span><span>${R() < 0.5 ? int(1, 90) + "K Views" : "Share"}</span></div></div></div>`,
    ).join("")
  );
};
const app = () => {
  const dark = R() < 0.3;
  const bg = dark ? "#1e1e1e" : pick(["#fff", "#f5f6f8", "#fafafa"]),
    fg = dark ? "#ddd" : "#222",
    acc = `hsl(${int(0, 360)} 60% 45%)`;
  return `<style>${css(bg, fg)}body{font-family:${pick(["Arial", '"DejaVu Sans"', '"Liberation Sans"'])},sans-serif}button,input{font:inherit;padding:6px 12px;margin:4px;border-radius:${int(0, 8)}px;border:1px solid #8886}</style><div style="background:${R() < 0.5 ? acc : bg};color:${R() < 0.5 ? "#fff" : fg};padding:12px 18px;display:flex;gap:22px"><b>${words(1)}</b><span>${words(1)}</span><span>${words(1)}</span><span>${words(1)}</span></div><div style="display:flex">${R() < 0.6 ? `<div style="width:${int(130, 220)}px;padding:14px;border-right:1px solid #8884">${Array.from({ length: int(4, 10) }, () => `<p>▸ ${words(int(1, 2))}</p>`).join("")}</div>` : ""}<div style="flex:1;padding:18px"><h2>${words(3)}</h2><input placeholder="${words(2)}"><button style="background:${acc};color:#fff">${words(1)}</button><button>${words(1)}</button>${R() < 0.5 ? table() : ""}${Array.from({ length: int(1, 4) }, () => `<div style="border:1px solid #8884;border-radius:8px;padding:10px;margin:10px 0"><b>${words(2)}</b><p>${sent(int(1, 2))}</p></div>`).join("")}</div></div>`;
};
const b = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH,
  args: ["--no-sandbox", "--allow-file-access-from-files"],
});
const p = await b.newPage();
const shoot = async (html, w, h, file) => {
  await p.setViewportSize({ width: w, height: h });
  writeFileSync(path.join(out, "page.html"), "<!doctype html><meta charset=utf-8>" + html);
  await p.goto(`file://${out}/page.html`);
  await p.screenshot({ path: path.join(out, file), type: "jpeg", quality: 85 });
};
for (let i = 0; i < 400; i++) await shoot(doc(), int(560, 800), int(500, 1000), `document/d${i}.jpg`);
for (let i = 0; i < 300; i++) await shoot(post(), int(420, 700), int(240, 800), `screenshot/post${i}.jpg`);
for (let i = 0; i < 250; i++) await shoot(app(), int(700, 1300), int(450, 800), `screenshot/app${i}.jpg`);
await b.close();
