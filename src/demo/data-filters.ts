import type { SampleRecord } from './json-response.js';
import { httpDateSeconds, isoDatePattern, isoDateSeconds } from './date-parsing.js';
import { anyValuePattern, countryCodesPattern } from './query-parameters.js';
import { foldForComparison, containsWords, textValues } from './filter-and-sort.js';

interface FilterParameter {
  readonly accepts: RegExp;
  readonly matches: (record: SampleRecord, value: string) => boolean;
}

export type DataList = 'teams' | 'news' | 'channels';

const englishNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

const titleSearch = wordsFilter((record) => textValues(record, ['title', 'summary', 'link']));

/** Parameters that select records, by list (interfaces 4.2, decisions 2.32), without `region`. */
export const dataFilters: Readonly<Record<DataList, ReadonlyMap<string, FilterParameter>>> = {
  teams: new Map([
    ['country', { accepts: countryCodesPattern, matches: isInCountries }],
    ['team', exactFilter('team')],
    ['q', wordsFilter((team) => [...textValues(team, ['team', 'team-full', 'country']), ...countryNames(team)])],
    [
      'scope',
      {
        accepts: /^(?:public|pgp)$/,
        matches: (team, scope) => scope !== 'pgp' || 'pgp-id' in team || 'pgp-fingerprint' in team,
      },
    ],
  ]),
  news: new Map([
    ['channel', exactFilter('channels')],
    ['link', exactFilter('link')],
    ['before', { accepts: isoDatePattern, matches: (item, date) => publishedSeconds(item) < isoDateSeconds(date) }],
    ['after', { accepts: isoDatePattern, matches: (item, date) => publishedSeconds(item) > isoDateSeconds(date) }],
    ['q', titleSearch],
  ]),
  channels: new Map([
    ['channel', exactFilter('title')],
    ['link', exactFilter('link')],
    ['rsslink', exactFilter('rss')],
    ['q', titleSearch],
  ]),
};

function exactFilter(property: string): FilterParameter {
  return {
    accepts: anyValuePattern,
    matches: (record, value) =>
      textValues(record, [property]).some((text) => foldForComparison(text) === foldForComparison(value)),
  };
}

function wordsFilter(searched: (record: SampleRecord) => readonly string[]): FilterParameter {
  return { accepts: anyValuePattern, matches: (record, value) => containsWords(searched(record), value) };
}

function isInCountries(team: SampleRecord, countries: string): boolean {
  const wanted = countries.toUpperCase().split(',');
  return textValues(team, ['country', 'country-other']).some((code) => wanted.includes(code));
}

function countryNames(team: SampleRecord): readonly string[] {
  return textValues(team, ['country']).map((code) => englishNames.of(code) ?? '');
}

function publishedSeconds(item: SampleRecord): number {
  return httpDateSeconds(String(item['published'])) ?? NaN;
}
