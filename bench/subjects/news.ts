import { findPropertyPosition } from '../../src/model/resource.js';
import { news as resource } from '../../src/model/resources/news.js';
import { fromTemplates, templatesOf } from './records.js';
import type { RecordTemplate, BenchRecord } from './records.js';
import { enveloped, joined } from './subject.js';
import type { Filter, Subject } from './subject.js';

/**
 * What makes a demo summary as long as a real one. `/news` itself was not recorded; an item of FIRST's of 2021 that somebody kept has
 * 530 bytes in list form, 315 of them its summary.
 */
const MORE =
  'Read what happened, who was called first, and what the teams would do again. Everybody who took part was asked afterwards, and ' +
  'most of them answered. The views are those of the authors, and no team has to share them; corrections are welcome.';

/** An hour of its own for each of 100,003 items, over eleven years, out of order. */
const FIRST = Date.UTC(2015, 0, 1);
const HOUR = 3_600_000;

const mould: RecordTemplate = {
  templates: templatesOf(resource, ['beacon-news', 'chronicle-news', 'quay-news']),
  whole: ({ title, summary, link }, at): BenchRecord => ({
    id: at + 1,
    title,
    ...(summary !== undefined && { summary }),
    link,
    published: new Date(FIRST + ((at * 7_919) % 100_003) * HOUR).toUTCString(),
  }),
  vary,
};

function vary(name: string, text: string, at: number): string {
  switch (name) {
    case 'title':
      return `${text} (${at})`;
    case 'summary':
      return text === '' ? text : `${text} ${MORE}`;
    case 'link':
      return `${text}-${at}`;
    default:
      return text;
  }
}

/** The title of a channel, and which items are in it by the ids that their source gives them: every fourth. */
const CHANNEL = 'Newsletters';
const isInChannel = (id: number): boolean => id % 4 === 0;

/** The ids of the channel's items; what the gateway shows is 1,000 times that, and the source's number. */
const members: ReadonlySet<number> = new Set(Array.from({ length: 100_001 }, (_, id) => id).filter(isInChannel));

const id = findPropertyPosition(resource, 'id');
const link = findPropertyPosition(resource, 'link');
const written = findPropertyPosition(resource, '(link)');

/** A link that every set of items has, wherever the sources part it. */
const known = String(fromTemplates(mould, { code: 's1', count: 1, from: 4_711 })[0]?.['link']);

const [from, to] = ['2021-05-01', '2024-08-01'];
const [start, end] = [Date.parse(from), Date.parse(to)];

const filters: readonly Filter[] = [
  { query: 'q=exercise', plain: (_, text) => text.includes('exercise') },
  {
    query: 'q=example.com+keys+what',
    plain: (_, text) => text.includes('example.com') && text.includes('keys') && text.includes('what'),
  },
  {
    query: `link=${encodeURIComponent(known)}`,
    shown: 'link=…',
    plain: ({ values }) => values[link] === known || values[written] === known,
  },
  { query: `channel=${CHANNEL}`, plain: ({ values }) => members.has(Math.floor(Number(values[id]) / 1_000)) },
  { query: `before=${from}`, plain: (_record, _text, date) => date < start },
  { query: `after=${from}&before=${to}`, plain: (_record, _text, date) => date > start && date < end },
];

/** News items in list form. */
export const news: Subject = {
  name: 'news',
  resource,
  registered: (address) => `data: "${address}", site: "https://www.example.org", resources: [news, channels]`,
  recordsOf: (portion) => fromTemplates(mould, portion),
  channels: [CHANNEL, 'Advisories', 'Blog', 'Vacancies'].map((title, at) => ({ id: at + 1, title })),
  inChannel: ({ id }, title) => title.toLowerCase() === CHANNEL.toLowerCase() && isInChannel(Number(id)),
  envelope: enveloped,
  filters,
  texts: (set) => joined(set, ['title', 'summary', 'link']),
  ordinary: ['q=exercise', '', `after=${from}`, `before=${from}`, `link=${encodeURIComponent(known)}`, 'sort=title'],
  exhaustive: [...resource.properties.map(({ name }) => `sort=-${name}`), 'link=x', `after=${from}`],
};
