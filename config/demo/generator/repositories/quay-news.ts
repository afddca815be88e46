import type { Publisher } from '../news/news-items.js';
import type { Stored } from '../record.js';

/** The news of the Quay Directory: one channel, and relative links. */
export const quayNews: Publisher = {
  repository: 'quay',
  count: 50,
  noSummary: undefined,
  link: (path) => path,
  desks: [
    {
      channel: 'Port Notices',
      path: '/notices',
      titles: ['Notice {serial}/{year}: {organisation}', 'Notice {serial}/{year}: new telephone in {place}'],
      sentences: [
        'The team of {organisation} has moved to another mailbox.',
        'From the first of next month {place} answers around the clock.',
        'The old number rings until the end of {year}.',
      ],
    },
  ],
};

/** Its only channel. */
export const quayChannels: readonly Stored[] = [
  new Map<string, unknown>([
    ['id', 1],
    ['title', 'Port Notices'],
    ['link', '/notices'],
    ['rss', '/notices/rss.xml'],
    ['summary', 'Who has moved, and whom to call now'],
  ]),
];
