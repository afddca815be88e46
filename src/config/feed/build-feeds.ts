import type { RegisteredFeed } from '../../model/registration/published-feed.js';
import type { ConfigDocument } from '../schema/config-file-schema.js';

/** Builds the feeds of a valid registration, in its order (operation 2.8.17). Empty: the source is no feed. */
export function buildFeeds({ feed = [] }: Pick<ConfigDocument['sources'][string], 'feed'>): readonly RegisteredFeed[] {
  return feed.map(({ url, title }) => ({ url, title }));
}
