/** A news feed that is registered as a source, or as a part of one (operation 2.8.17). A plain value. */
export interface RegisteredFeed {
  /** Absolute http(s) URL with its query, which may be secret. */
  readonly url: string;
  /** Title of the channel, in place of the feed's own. Undefined: the feed's own. */
  readonly title: string | undefined;
}
