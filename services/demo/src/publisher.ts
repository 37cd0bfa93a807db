import type { Fakes } from "./fakes.js";
import { DEMO_GAZETTE, DEMO_HAFENBLATT } from "./feeds.js";
import type { DemoPlatform, StreamPosting } from "./stream.js";

/** Replies to one posting, after which people reply to a newer one. */
const REPLIES_MAX = 6;
const TITLE_CHARACTERS = 60;
const COUNTRIES: Readonly<Record<string, string>> = { en: "GB", de: "DE", es: "ES", fr: "FR" };

/** A posting to which others reply. */
interface Thread {
  readonly id: string;
  readonly title: string;
  replies: number;
}

/** Gives postings of the stream to the fakes, each in the form of its platform. Postings must come oldest first. */
export class Publisher {
  private readonly threads = new Map<string, Thread>();
  private readonly publishBy: Readonly<Record<DemoPlatform, (posting: StreamPosting) => void>> = {
    twitter: ({ at, text, language: lang, author, likes }) =>
      void this.fakes.twitter.post({ at, text, lang, author, likes }),
    reddit: (posting) => this.toReddit(posting),
    news: (posting) => this.toNews(posting),
    "youtube-videos": (posting) => void this.video(posting),
    "youtube-comments": (posting) => this.toComments(posting),
    tiktok: ({ at, text, author: { username }, language, likes }) =>
      void this.fakes.tiktok.post({ at, text, username, likes, region: COUNTRIES[language] ?? "GB" }),
    facebook: (posting) => this.toFacebook(posting),
    instagram: ({ at, text: caption, subject: { account }, likes }) =>
      void this.fakes.meta.instagram.post({ at, caption, account, likes }),
    linkedin: ({ at, text, subject: { organization }, likes }) =>
      void this.fakes.linkedin.post({ at, text, likes, organization: organization.id }),
  };

  constructor(private readonly fakes: Fakes) {}

  publish(posting: StreamPosting): void {
    this.publishBy[posting.platform](posting);
  }

  private toNews({ at, text, language, author, tags }: StreamPosting): void {
    const publisher = language === "de" ? DEMO_HAFENBLATT : DEMO_GAZETTE;
    this.fakes.news.post({ at, publisher, title: `Demo: ${titleOf(text)}`, text, tags, author: author.name });
  }

  private toReddit(posting: StreamPosting): void {
    const { at, text, author, likes: score, subject } = posting;
    const begin = (): Thread => {
      const title = titleOf(text);
      const id = this.fakes.reddit.post({ at, title, text, author, score, subreddit: subject.subreddit });
      return { id, title, replies: 0 };
    };
    const { id: linkId, title } = this.threadFor(posting, begin) ?? {};
    if (linkId === undefined || title === undefined) return;
    this.fakes.reddit.post({ kind: "t1", at, linkId, title, text, author, score, subreddit: subject.subreddit });
  }

  private toFacebook(posting: StreamPosting): void {
    const { at, text, author, likes, subject } = posting;
    const begin = (): Thread => ({
      id: this.fakes.meta.facebook.post({ at, text, likes, page: subject.page }),
      title: "",
      replies: 0,
    });
    const thread = this.threadFor(posting, begin);
    if (thread !== undefined) this.fakes.meta.facebook.comment(thread.id, { at, text, author, likes });
  }

  /** Comments are on the newest video about their subject. */
  private toComments(posting: StreamPosting): void {
    const { at, text, likes, subject } = posting;
    const about = `The ${subject.name} in one minute, invented for a #demo`;
    const { id: videoId } = this.threads.get(`video ${subject.key}`) ?? this.video({ ...posting, text: about });
    this.fakes.youtube.comment({ videoId, at, text, likes });
  }

  private video({ at, text, likes, subject, tags }: StreamPosting): Thread {
    const title = titleOf(text);
    const views = likes * 90;
    const id = this.fakes.youtube.post({ at, title, description: text, tags: [...tags], likes, views });
    const thread = { id, title, replies: 0 };
    this.threads.set(`video ${subject.key}`, thread);
    return thread;
  }

  /** The thread to which a posting replies; undefined if it began one. */
  private threadFor({ platform, subject }: StreamPosting, begin: () => Thread): Thread | undefined {
    const key = `${platform} ${subject.key}`;
    const known = this.threads.get(key);
    if (known === undefined || known.replies >= REPLIES_MAX) {
      this.threads.set(key, begin());
      return undefined;
    }
    // Every other posting replies, so that both kinds grow.
    known.replies += 1;
    if (known.replies % 2 === 1) return known;
    begin();
    return undefined;
  }
}

/** The beginning of a text, in whole words. */
function titleOf(text: string): string {
  const [sentence = ""] = text.split(/(?<=[.!?,:]) /);
  const start = text.length <= TITLE_CHARACTERS ? text : text.slice(0, text.lastIndexOf(" ", TITLE_CHARACTERS));
  const title = sentence.length > start.length / 2 && sentence.length <= TITLE_CHARACTERS ? sentence : start;
  return title.replace(/[,:]$/, "");
}
