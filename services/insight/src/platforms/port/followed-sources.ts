/** Sources to follow, named by the owner of a search, in addition to those of the server. */
export interface FollowedSources {
  readonly feeds: readonly string[];
  readonly subreddits: readonly string[];
  readonly pages: readonly string[];
  readonly organisations: readonly string[];
}
