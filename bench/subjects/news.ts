import { findPropertyPosition } from '../../src/model/resource.js';
import { news as resource } from '../../src/model/resources/news.js';
import { fromTemplates, templatesOf } from './records.js';
import type { RecordTemplate, BenchRecord } from './records.js';
import { enveloped, joined } from './subject.js';
import type { Filter, Subject } from './subject.js';

/**
 * Text that makes a demo summary as long as a real one. No response of `/news` was recorded; an archived item of FIRST from 2021
 * has 530 bytes in list form, 315 of them in its summary.
 */
const MORE =
  'Read what happened, who was called first, and what the teams would do again. Everybody who took part was asked afterwards, and ' +
  'most of them answered. The views are those of the authors, and no team has to share them; corrections are welcome.';

/** Each of up to 100,003 items has its own hour, over eleven years, in no order. */
const FIRST = Date.UTC(2015, 0, 1);
const HOUR = 3_600_000;

const template: RecordTemplate = {
  templates: templatesOf(resource, ['beacon-news', 'chronicle-news', 'quay-news']),
  complete: ({ title, summary, link }, at): BenchRecord => ({
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

/** The title of a channel that contains every fourth item, by the source's own ids. */
const CHANNEL = 'Newsletters';
const isInChannel = (id: number): boolean => id % 4 === 0;

/** The source's own ids of the channel's items. The gateway shows `id × 1000 + source number` (decisions 4.17). */
const members: ReadonlySet<number> = new Set(Array.from({ length: 100_001 }, (_, id) => id).filter(isInChannel));

const id = findPropertyPosition(resource, 'id');
const link = findPropertyPosition(resource, 'link');
const written = findPropertyPosition(resource, '(link)');

/** A link that the items contain, however they are divided among sources. */
const known = String(fromTemplates(template, { code: 's1', count: 1, from: 4_711 })[0]?.['link']);

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
  recordsOf: (portion) => fromTemplates(template, portion),
  channels: [CHANNEL, 'Advisories', 'Blog', 'Vacancies'].map((title, at) => ({ id: at + 1, title })),
  inChannel: ({ id }, title) => title.toLowerCase() === CHANNEL.toLowerCase() && isInChannel(Number(id)),
  envelope: enveloped,
  filters,
  texts: (set) => joined(set, ['title', 'summary', 'link']),
  ordinary: ['q=exercise', '', `after=${from}`, `before=${from}`, `link=${encodeURIComponent(known)}`, 'sort=title'],
  exhaustive: [...resource.properties.map(({ name }) => `sort=-${name}`), 'link=x', `after=${from}`],
};
