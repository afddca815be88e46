import { positionOf } from '../../src/model/resource.js';
import { news as resource } from '../../src/model/resources/news.js';
import { moulded, templatesOf } from '../records.js';
import type { Mould, Portion, Raw } from '../records.js';
import { channelList, CHANNELS, inChannel } from './channels.js';
import { enveloped } from './envelope.js';
import { joined } from './subject.js';
import type { Filter, Listing, Subject } from './subject.js';

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

const mould: Mould = {
  templates: templatesOf(resource, ['beacon-news', 'chronicle-news', 'quay-news']),
  whole: ({ title, summary, link }, at): Raw => ({
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

const link = positionOf(resource, 'link');
const written = positionOf(resource, '(link)');

/** A link that every set of items has, wherever the sources part it. */
const known = String(moulded(mould, { code: 's1', count: 1, from: 4_711 })[0]?.['link']);

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
  { query: `before=${from}`, plain: (_record, _text, date) => date < start },
  { query: `after=${from}&before=${to}`, plain: (_record, _text, date) => date > start && date < end },
];

/** News items in list form; their sources have channels too, the items of one of which are asked for. */
export const news: Subject = {
  name: 'news',
  title: 'news: ',
  resource,
  registered: (address) => `data: "${address}", site: "https://www.example.org", resources: [news, channels]`,
  recordsOf: (portion) => moulded(mould, portion),
  listings,
  envelope: enveloped,
  firstAsked: [
    { name: 'the first page of all', query: 'limit=100' },
    { name: 'a first q', query: 'q=exercise+night&limit=100' },
    { name: 'a first channel', query: `channel=${CHANNELS[0]}&limit=100`, channel: CHANNELS[0] },
  ],
  filters,
  texts: (set) => joined(set, ['title', 'summary', 'link']),
  sorts: ['sort=title', 'sort=-link,title'],
  cold: ['', 'q=exercise', `after=${from}`, 'sort=title', 'sort=link&offset=9000'],
  day: ['q=exercise', '', `after=${from}`, `before=${from}`, `link=${encodeURIComponent(known)}`, 'sort=title'],
  flood: [...resource.properties.map(({ name }) => `sort=-${name}`), 'link=x', `after=${from}`],
};

function listings(portion: Portion): readonly Listing[] {
  const records = moulded(mould, portion);
  const [channel] = CHANNELS;
  return [
    { path: 'news', records },
    { path: 'channels', records: channelList },
    { path: 'news', channel, records: inChannel(records, channel) },
  ];
}
