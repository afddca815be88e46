import type { Publisher } from '../news/news-items.js';
import type { Stored } from '../record.js';

const site = 'https://www.chronicle.example.org';

/** The news of the Chronicle: most of its links are relative. */
export const chronicleNews: Publisher = {
  repository: 'chronicle',
  count: 140,
  noSummary: undefined,
  link: (path, dice) => dice.pick([path, path, path, `${site}${path}`, `https://news.example.com${path}`]),
  desks: [
    {
      channel: 'Newsletters',
      path: '/newsroom/newsletters',
      titles: ['Newsletter {serial}: {topic}', 'Newsletter {serial}: a visit to {place}'],
      sentences: [
        'This issue is about {topic}, and about the team of {organisation}.',
        'New entries this month: three, one of them in {country}.',
        'Somebody in {place} has found an old telephone list.',
      ],
    },
    {
      channel: 'Advisories',
      path: '/advisories',
      titles: ['CHR-{year}-{serial}: {weakness} in {vendor} products', '{vendor}: {weakness} (CHR-{year}-{serial})'],
      sentences: [
        '{vendor} tells everybody who runs {products} to look for {weakness}.',
        'The product team of {vendor} answers under the address in its entry.',
        'There is a new version; the old one should not be reached from outside.',
        'Found by the team of {organisation}.',
      ],
    },
    {
      channel: 'Annual Conference',
      path: '/conference',
      titles: ['Conference {year}: a talk on {topic}', 'Conference {year}: call for papers on {topic}'],
      sentences: [
        'The conference of {year} is in {place}.',
        '{organisation} is our host, and talks about {topic}.',
        'Travel grants are there for teams in their first year.',
      ],
    },
    {
      channel: 'Vacancies',
      path: '/vacancies',
      titles: ['{organisation} looks for an incident handler', 'Vacancy: night shift in {place}'],
      sentences: [
        '{organisation} looks for somebody who is good at {topic}.',
        'The post is in {place}; applications in plain text, please.',
        'Who applies should have been on call before.',
      ],
    },
  ],
};

/** Its channels. The last one has few properties. */
export const chronicleChannels: readonly Stored[] = [
  channel(1, 'Newsletters', 'newsletters', 'What the teams have been up to'),
  channel(2, 'Advisories', 'advisories', 'Weaknesses, and who answers for them'),
  channel(3, 'Annual Conference', 'conference', 'Talks, papers & travel'),
  new Map<string, unknown>([
    ['id', 4],
    ['title', 'Vacancies'],
  ]),
];

function channel(id: number, title: string, name: string, summary: string): Stored {
  const link = id === 1 ? '/newsroom/newsletters' : `${site}/${name}`;
  return new Map<string, unknown>([
    ['id', id],
    ['title', title],
    ['link', link],
    ['rss', `${link}/rss.xml`],
    ['image', id === 1 ? '/_/img/chronicle.png' : `${site}/_/img/${name}.png`],
    ['summary', summary],
    ['copyright', '© 1995-2026 by the Chronicle of Teams (sample)'],
  ]);
}
