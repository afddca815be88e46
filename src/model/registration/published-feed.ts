/** A news feed as a source, or as a part of one (operation 2.8.17). A plain value. */
export interface RegisteredFeed {
  /** Absolute http(s) URL with its query, which may be secret. */
  readonly url: string;
  /** In place of the feed's own title. Undefined: the feed's own. */
  readonly title: string | undefined;
}
