import { expect, it } from "vitest";
import { htmlToText } from "./html.js";

it.each([
  ["<p>One <b>two</b></p><p>three</p>", "One two\n\nthree"],
  ["one<br>two<div>three</div>four", "one\ntwo\nthree\nfour"],
  ["<ul><li>a<li>b</ul>", "a\nb"],
  ["<table><tr><td>a</td><td>b</td></tr></table>", "a b"],
  ["AT&amp;T &copy; 2 &lt; 3 &#8211; 4&nbsp;km", "AT&T © 2 < 3 – 4 km"],
  ["1 < 2 and x<y", "1 < 2 and x"],
  ["a<script>alert('<p>no</p>')</script>b<style>p{}</style>c<iframe>d</iframe>", "abc"],
  ["a<script>never closed", "a"],
  ["a<!-- no --><![CDATA[ no ]]>b", "ab"],
  ["&lt;script&gt;alert(1)&lt;/script&gt;", "<script>alert(1)</script>"],
])("reads %s", (html, text) => {
  expect(htmlToText(html).text).toBe(text);
});

it("finds pictures, but not the pixels that count readers", () => {
  const html = '<img src="a.jpg"><img width="1" height="1" src="t.gif"><img src="b.png" width="600">';
  expect(htmlToText(html).images).toEqual(["a.jpg", "b.png"]);
});

it.each([
  ["nested elements", "<b>".repeat(300_000) + "</i>".repeat(300_000)],
  ["foreign elements", "<svg><p>".repeat(200_000)],
  ["opened comments", "<!--".repeat(400_000)],
  ["attributes", `<a ${"b ".repeat(400_000)}>`],
  ["open tags", "<".repeat(1_000_000)],
  ["references", "&#".repeat(500_000)],
  ["line breaks", "<br>\n".repeat(300_000)],
])("reads a million characters of %s before the test is over", (_name, html) => {
  expect(htmlToText(html).images).toEqual([]);
});
