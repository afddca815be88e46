import type { Raw } from '../records.js';

/** The channels of every source of news. */
export const CHANNELS = ['Newsletters', 'Advisories', 'Blog', 'Vacancies'] as const;

/** Title of a channel. */
export type Channel = (typeof CHANNELS)[number];

/** The channels as a source lists them, of the size of a real one. */
export const channelList: readonly Raw[] = CHANNELS.map((title, at) => ({
  id: at + 1,
  title,
  link: `https://www.example.org/newsroom/${title.toLowerCase()}`,
  rss: `https://www.example.org/newsroom/${title.toLowerCase()}/rss.xml`,
  image: `https://www.example.org/_/img/${title.toLowerCase()}.png`,
  summary: `${title} of the teams`,
  copyright: '© 1995-2026 by Example Teams (sample)',
}));

/** Those of a source's items that are in a channel: each in one, every fourth in the same. */
export function inChannel(items: readonly Raw[], channel: Channel): readonly Raw[] {
  return items.filter(({ id }) => Number(id) % CHANNELS.length === CHANNELS.indexOf(channel));
}
