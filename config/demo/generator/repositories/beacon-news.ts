import type { Publisher } from '../news/news-items.js';
import type { Stored } from '../record.js';

const site = 'https://www.beacon.example.org';

/** The news of the Beacon Exchange: most links are absolute, and a missing summary is an empty text. */
export const beaconNews: Publisher = {
  repository: 'beacon',
  count: 110,
  noSummary: '',
  link: (path, dice) => dice.pick([path, `${site}${path}`, `${site}${path}`]),
  desks: [
    {
      channel: 'Newsletters',
      path: '/letters',
      titles: ['The Beacon, letter {serial}: {topic}', 'Newsletter {serial}: {topic}'],
      sentences: [
        'Dear teams, this letter is about {topic}.',
        'Welcome to {organisation}, who joined us this month.',
        'Please look at your own entry once, and at the key in it twice.',
      ],
    },
    {
      channel: 'Blog',
      path: '/blog',
      titles: ['{topic}: what we learned in {place}', 'A year of {topic}', 'On {weakness}'],
      sentences: [
        'We sat down with the team of {organisation} and talked about {topic}.',
        'It began with {weakness}, and ended with a telephone call to {country}.',
        'What nobody had: a number that is answered at night.',
        'What everybody had: {vendor} {products}.',
      ],
    },
    {
      channel: 'Übungen',
      path: '/uebungen',
      titles: ['Übung {year}: {place}', 'Rückschau: die Übung in {place}'],
      sentences: [
        'Gespielt wird ein Ausfall bei {organisation}.',
        'Wer mitmacht, braucht ein Telefon, einen Schlüssel und Geduld.',
        'Die Übungsleitung sitzt in {place}.',
      ],
    },
  ],
};

/** Its channels. The name of the third one shows why names are compared as folded text. */
export const beaconChannels: readonly Stored[] = [
  channel(1, 'Newsletters', 'letters', 'Letters to the members of the exchange'),
  channel(2, 'Blog', 'blog', 'What we learned'),
  channel(3, 'Übungen', 'uebungen', 'Auf Deutsch'),
];

function channel(id: number, title: string, name: string, summary: string): Stored {
  return new Map<string, unknown>([
    ['id', id],
    ['title', title],
    ['link', `${site}/${name}`],
    ['rss', `${site}/${name}/rss.xml`],
    ['image', `${site}/img/beacon.png`],
    ['summary', summary],
    ['copyright', '© 2026 Beacon Exchange (sample)'],
  ]);
}
