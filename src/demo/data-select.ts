import type { Kept } from './answer.js';
import { httpSeconds, iso, isoSeconds } from './moment.js';
import { anything, codes } from './reserved.js';
import { fold, hasWords, texts } from './select.js';

/** A parameter of the data interface that chooses records. */
interface Choice {
  readonly accepts: RegExp;
  readonly meets: (record: Kept, value: string) => boolean;
}

/** The lists of the data interface. */
export type DataList = 'teams' | 'news' | 'channels';

const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

const byTitle = words((record) => texts(record, ['title', 'summary', 'link']));

/** What each list can be asked for (interfaces.md, sections 4.2 and 5; decisions.md, section 2, `/channels`), but for regions. */
export const choices: Readonly<Record<DataList, ReadonlyMap<string, Choice>>> = {
  teams: new Map([
    ['country', { accepts: codes, meets: isIn }],
    ['team', exact('team')],
    ['q', words((team) => [...texts(team, ['team', 'team-full', 'country']), ...countryNames(team)])],
    [
      'scope',
      {
        accepts: /^(?:public|pgp)$/,
        meets: (team, scope) => scope !== 'pgp' || 'pgp-id' in team || 'pgp-fingerprint' in team,
      },
    ],
  ]),
  news: new Map([
    ['channel', exact('channels')],
    ['link', exact('link')],
    ['before', { accepts: iso, meets: (item, date) => published(item) < isoSeconds(date) }],
    ['after', { accepts: iso, meets: (item, date) => published(item) > isoSeconds(date) }],
    ['q', byTitle],
  ]),
  channels: new Map([
    ['channel', exact('title')],
    ['link', exact('link')],
    ['rsslink', exact('rss')],
    ['q', byTitle],
  ]),
};

function exact(property: string): Choice {
  return {
    accepts: anything,
    meets: (record, value) => texts(record, [property]).some((text) => fold(text) === fold(value)),
  };
}

function words(searched: (record: Kept) => readonly string[]): Choice {
  return { accepts: anything, meets: (record, value) => hasWords(searched(record), value) };
}

function isIn(team: Kept, countries: string): boolean {
  const wanted = countries.toUpperCase().split(',');
  return texts(team, ['country', 'country-other']).some((code) => wanted.includes(code));
}

function countryNames(team: Kept): readonly string[] {
  return texts(team, ['country']).map((code) => english.of(code) ?? '');
}

function published(item: Kept): number {
  return httpSeconds(String(item['published'])) ?? NaN;
}
