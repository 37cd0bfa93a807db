import { randomOf } from "../invented/random.js";
import { DEMO_PLATFORMS, inventPosting, type StreamPosting } from "./posting.js";
import { momentNow, momentsOf } from "./story.js";

/** A stream of invented postings that depends on its seed and its end only. */
export class Stream {
  private readonly random: () => number;

  constructor(
    seed: number,
    /** Milliseconds since the epoch. */
    private readonly end: number,
  ) {
    this.random = randomOf(seed);
  }

  /** Postings of the two weeks before the end, oldest first; the last ones stand on all platforms. */
  before(count: number): StreamPosting[] {
    const moments = momentsOf(count, this.end, this.random);
    return moments.map((moment, index) => inventPosting(moment, this.random, DEMO_PLATFORMS[count - 1 - index]));
  }

  /** A further posting. */
  next(at: number): StreamPosting {
    return inventPosting(momentNow(at), this.random);
  }
}
