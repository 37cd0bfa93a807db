import { expect, it } from "vitest";
import { socialIdIn } from "./registry.js";

it.each([
  ["twitter", "https://x.com/ada_example/status/1990000000000000001", "1990000000000000001"],
  ["twitter", "https://mobile.twitter.com/i/web/status/12?s=20", "12"],
  ["reddit", "https://www.reddit.com/r/birds/comments/1abc2d/a_title/", "t3_1abc2d"],
  ["reddit", "https://old.reddit.com/r/birds/comments/1abc2d/a_title/k9z8y7/?context=3", "t1_k9z8y7"],
  ["youtube-videos", "https://www.youtube.com/watch?v=AbCdEfGhIjK&t=10", "AbCdEfGhIjK"],
  ["youtube-videos", "https://youtu.be/AbCdEfGhIjK?si=x", "AbCdEfGhIjK"],
  ["youtube-videos", "https://www.youtube.com/shorts/AbCdEfGhIjK", "AbCdEfGhIjK"],
  ["youtube-comments", "https://www.youtube.com/watch?v=AbCdEfGhIjK&lc=Ugx_1-2", "Ugx_1-2"],
  ["tiktok", "https://www.tiktok.com/@ada.example/video/7300000000000000001?lang=en", "7300000000000000001"],
  ["linkedin", "https://www.linkedin.com/feed/update/urn%3Ali%3Ashare%3A7123/", "urn:li:share:7123"],
  ["bluesky", "https://bsky.app/profile/did:plc:abc/post/3kabc?x=1", "at://did:plc:abc/app.bsky.feed.post/3kabc"],
  ["mastodon", "https://birds.example/users/ada/statuses/115/", "https://birds.example/users/ada/statuses/115"],
])("an address of %s, %s, contains the id of its posting", (platform, url, id) => {
  expect(socialIdIn(platform, url)).toBe(id);
});

it.each([
  ["twitter", "https://x.com/ada_example"],
  ["twitter", "https://example.com/ada/status/12"],
  ["reddit", "https://www.reddit.com/r/birds/"],
  ["youtube-videos", "https://www.youtube.com/@ada"],
  ["youtube-videos", "https://www.youtube.com/watch?v=AbCdEfGhIjK&lc=Ugx"],
  ["youtube-comments", "https://www.youtube.com/watch?v=AbCdEfGhIjK"],
  ["linkedin", "https://www.linkedin.com/feed/update/%E0%A4%A"],
  ["news", "https://example.com/status/12"],
  ["bluesky", "https://bsky.app/profile/ada.example/post/3kabc"],
  ["mastodon", "https://birds.example/@ada/115"],
  ["instagram", "no address"],
])("an address of %s, %s, contains none", (platform, url) => {
  expect(socialIdIn(platform, url)).toBeUndefined();
});
