import { httpDate } from '../calendar.js';
import { gazetteAdvisories, gazetteBulletins } from '../news/gazette-news.js';
import type { GazetteItem } from '../news/gazette-news.js';

const site = 'https://www.gazette.example.org';

/** The advisories of the Gazette as RSS 2.0. */
export function gazetteRss(): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel>
<title>Gazette Advisories</title>
<link>${site}/advisories</link>
<description>Weaknesses of products, and what to do about them</description>
<language>en</language>
<copyright>© 2026 Gazette of Advisories (sample)</copyright>
<ttl>15</ttl>
<image><url>${site}/images/gazette.png</url><title>Gazette Advisories</title><link>${site}/advisories</link></image>
${gazetteAdvisories.map(rssItem).join('\n')}
</channel>
</rss>
`;
}

function rssItem({ number, title, published, path, summary, content }: GazetteItem): string {
  return [
    '<item>',
    `<title>${escaped(title)}</title>`,
    `<link>${site}${path}</link>`,
    `<guid isPermaLink="false">${tagUri(number)}</guid>`,
    `<pubDate>${httpDate(published)}</pubDate>`,
    ...(summary === undefined ? [] : [`<description>${escaped(summary)}</description>`]),
    ...(content === undefined ? [] : [`<content:encoded><![CDATA[${content}]]></content:encoded>`]),
    '</item>',
  ].join('\n');
}

/** The bulletins of the Gazette as Atom. Its links are relative. */
export function gazetteAtom(): string {
  const updated = gazetteBulletins.map(changedAt).reduce((last, at) => (at > last ? at : last));
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en" xml:base="${site}/bulletins/">
<title>Gazette of Advisories: Bulletins</title>
<subtitle>The situation, once a month</subtitle>
<id>${tagUri('bulletins')}</id>
<link href="/bulletins"/>
<updated>${updated}</updated>
<author><name>Gazette of Advisories (sample)</name></author>
<rights>© 2026 Gazette of Advisories (sample)</rights>
${gazetteBulletins.map(atomEntry).join('\n')}
</feed>
`;
}

function atomEntry(item: GazetteItem): string {
  const { number, title, published, path, summary, content } = item;
  const type = summary?.startsWith('<') === true ? ' type="html"' : '';
  return [
    '<entry>',
    `<title>${escaped(title)}</title>`,
    `<id>${tagUri(number)}</id>`,
    `<link href="${path}"/>`,
    `<published>${published}</published>`,
    `<updated>${changedAt(item)}</updated>`,
    ...(summary === undefined ? [] : [`<summary${type}>${escaped(summary)}</summary>`]),
    ...(content === undefined
      ? []
      : [`<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">${content}</div></content>`]),
    '</entry>',
  ].join('\n');
}

function changedAt({ published, updated = published }: GazetteItem): string {
  return updated;
}

function tagUri(name: string): string {
  return `tag:gazette.example.org,2026:${name}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
