import { DEMO_HOME, type DemoStatus, uriOf } from "./status.js";

/** A posting as the API gives it. */
export function statusAnswer(status: DemoStatus): Record<string, unknown> {
  const { id, at, text, tags, author, likes, extra } = status;
  const added = tags.filter((tag) => !text.toLowerCase().includes(`#${tag.toLowerCase()}`));
  return {
    id,
    uri: uriOf(status),
    url: `https://${DEMO_HOME}/@${author.username}/${id}`,
    created_at: new Date(at).toISOString(),
    edited_at: null,
    in_reply_to_id: null,
    in_reply_to_account_id: null,
    reblog: null,
    sensitive: false,
    spoiler_text: "",
    visibility: "public",
    language: "en",
    content: [`<p>${escaped(text)}</p>`, ...(added.length > 0 ? [`<p>${added.map(tagLink).join(" ")}</p>`] : [])].join(
      "",
    ),
    replies_count: Math.floor(likes / 5),
    reblogs_count: Math.floor(likes / 3),
    favourites_count: likes,
    account: {
      id: author.id,
      username: author.username,
      acct: `${author.username}@${DEMO_HOME}`,
      display_name: author.name,
      uri: `https://${DEMO_HOME}/users/${author.username}`,
      url: `https://${DEMO_HOME}/@${author.username}`,
      bot: false,
      group: false,
    },
    media_attachments: [],
    mentions: [],
    tags: tags.map((name) => ({ name, url: `https://${DEMO_HOME}/tags/${name}` })),
    emojis: [],
    card: null,
    poll: null,
    demo: true,
    ...extra,
  };
}

function tagLink(tag: string): string {
  return `<a href="https://${DEMO_HOME}/tags/${tag}" class="mention hashtag" rel="tag">#<span>${tag}</span></a>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
