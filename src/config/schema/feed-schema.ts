import { oneOrMore, patternField, scalar, shortForm } from './schema-builders.js';
import { parseDurationOrNone } from './units.js';
import { urlWithQuery } from './value-types.js';

/** Each feed is requested again when its snapshot expires. */
const MAX_FEEDS = 500;

/** Ten years. Nothing waits for this time, so the range of timers does not limit it. */
const MAX_KEEP_DAYS = 3650;

/** Settings that the rules between settings read as well. */
export const feedFields = {
  title: patternField('text with at least one visible character, without control characters', /^(?=.*\S)[^\p{Cc}]+$/u),
  keep: scalar(`a duration of at most ${MAX_KEEP_DAYS} days, such as 12h, 7d or 90d, or 0 for none`, (text) =>
    parseDurationOrNone(text, MAX_KEEP_DAYS * 24 * 3_600_000),
  ).default(0),
};

/** Schema of the feeds of a source (operation 2.8.17): one address, or a list of addresses and of addresses with titles. */
export const feeds = oneOrMore(shortForm('url', { url: urlWithQuery, title: feedFields.title.optional() }), {
  expected: 'the address of a feed, or a list of addresses',
  max: MAX_FEEDS,
});
