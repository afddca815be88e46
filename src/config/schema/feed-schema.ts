import { oneOrMore, patternField, shortForm } from './schema-builders.js';
import { urlWithQuery } from './value-types.js';

/** Each feed is requested again when its snapshot expires. */
const MAX_FEEDS = 500;

export const feedFields = {
  title: patternField('text with at least one visible character, without control characters', /^(?=.*\S)[^\p{Cc}]+$/u),
};

/** One address, or a list of addresses and of addresses with titles (operation 2.8.17). */
export const feeds = oneOrMore(shortForm('url', { url: urlWithQuery, title: feedFields.title.optional() }), {
  expected: 'the address of a feed, or a list of addresses',
  max: MAX_FEEDS,
});
