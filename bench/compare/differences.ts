import { unzipSync } from 'fflate';
import type { IncomingHttpHeaders } from 'node:http';
import type { Received } from './exchange.js';

/** A difference between two answers to one request. */
export interface Difference {
  /** What is different, without values that vary between requests: the same for all differences with one cause. */
  readonly signature: string;
  readonly before: string;
  readonly after: string;
}

/** Replaces what differs between two runs of one program. */
interface Normalisation {
  /** Name of a header field, or `body`. */
  readonly of: string;
  readonly pattern: RegExp;
  readonly by: string | ((found: string) => string);
  /** Answers in which it is replaced; absent: in all. */
  readonly where?: (headers: IncomingHttpHeaders, path: string) => boolean;
  readonly reason: string;
}

/** Everything that is not compared as it is. */
const NORMALISATIONS: readonly Normalisation[] = [
  { of: 'date', pattern: /.+/, by: 'DATE', reason: 'the instant of the answer' },
  { of: 'etag', pattern: /.+/, by: 'TAG', reason: 'covers Last-Modified; conditional requests compare its effect' },
  { of: 'last-modified', pattern: /.+/, by: 'DATE', reason: 'may be the instant of a fetch; as for ETag' },
  { of: 'content-length', pattern: /.+/, by: 'N', reason: 'of the body with its ages, after compression' },
  {
    of: 'source-status',
    pattern: /=suspended/g,
    by: '=failed',
    reason: 'a failed source is suspended after some requests',
  },
  { of: 'body', pattern: /\bsuspended\b/g, by: 'failed', reason: 'as in Source-Status' },
  {
    of: 'body',
    pattern: /(>-\s+|')?(returned\s+no\s+complete\s+response:|no\s+match\s+was\s+found,)[^"]*?(?=\n[a-z]|"|$)/g,
    by: 'returned no complete response',
    reason: 'why sources failed, which may be that they are suspended',
  },
  { of: 'source-status', pattern: /;age=\d+/g, by: ';age=N', reason: 'seconds since the fetch' },
  { of: 'cache-status', pattern: /ttl=-?\d+/, by: 'ttl=N', reason: 'remaining time, which is shortened at random' },
  {
    of: 'cache-status',
    pattern: /;(hit;ttl=N|fwd=[a-z-]+(;collapsed)?)/,
    by: ';USE',
    where: (headers) => /state=(?!fresh|stale|excluded)/.test(String(headers['source-status'])),
    reason: 'an incomplete list is fetched again after five seconds, by the request that comes then',
  },
  {
    of: 'cache-control',
    pattern: /(max-age|stale-while-revalidate)=\d+/g,
    by: '$1=N',
    where: (headers) => headers['source-status'] !== undefined,
    reason: 'remaining time, which is shortened at random',
  },
  {
    of: 'body',
    pattern: /\w{3}, \d\d \w{3} 20\d\d [\d:]{8} GMT|20\d\d-\d\d-\d\d[T ][\d:]{8}/g,
    by: hideIfDuringRun,
    reason: 'instants of fetches; no source sends a date of today',
  },
  {
    of: 'body',
    pattern: /\d\d:\d\d UTC, (\d+ \w+ ago|just now)/g,
    by: 'DATE',
    where: isPage,
    reason: 'the same on pages for browsers',
  },
  {
    of: 'body',
    pattern: /(\/assets\/\w+)[.-][\w-]+/g,
    by: '$1.HASH',
    where: isPage,
    reason: 'a hash of the script or style sheet',
  },
  {
    of: 'body',
    pattern: /(last-modified(?:\W{1,4}|\nB\d text ))(?:DATE|\w{3}, [^"<\n]*GMT)/,
    by: '$1DATE',
    where: (_, path) => path.startsWith('/data/'),
    reason: 'of the answer: may be the instant of a fetch, or at which an index was ready',
  },
];

const STARTED = Date.now() - 1_000;

function hideIfDuringRun(date: string): string {
  const at = Date.parse(date.endsWith('GMT') ? date : `${date.replace(' ', 'T')}Z`);
  return at >= STARTED && at <= Date.now() ? 'DATE' : date;
}

function isPage(headers: IncomingHttpHeaders): boolean {
  return String(headers['content-type']).startsWith('text/html');
}

function normalise(of: string, text: string, { headers, path }: Answer): string {
  return NORMALISATIONS.filter((one) => one.of === of && one.where?.(headers, path) !== false).reduce(
    (now, { pattern, by }) => (typeof by === 'string' ? now.replace(pattern, by) : now.replace(pattern, by)),
    text,
  );
}

/** An answer to a request for a path. */
interface Answer extends Received {
  readonly path: string;
}

/** Compares the answers of two programs to a request. */
export function compareAnswers(target: string, ...received: readonly [Received, Received]): readonly Difference[] {
  const path = target.replace(/\?.*/, '');
  const [before, after] = [
    { ...received[0], path },
    { ...received[1], path },
  ];
  if (before.status !== after.status)
    return [
      {
        signature: `status ${before.status} > ${after.status}`,
        before: excerpt(before.body.toString(), 0),
        after: excerpt(after.body.toString(), 0),
      },
    ];
  return [...compareFields(before, after), ...compareBodies(before, after)];
}

function compareFields(before: Answer, after: Answer): readonly Difference[] {
  const names = [...new Set([before, after].flatMap(({ headers }) => Object.keys(headers)))].sort();
  return names.flatMap((name) => {
    const [was, is] = [before, after].map((answer) => {
      const value = answer.headers[name];
      return value === undefined ? undefined : normalise(name, String(value), answer);
    });
    if (was === is) return [];
    const shown = name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
    const change = was === undefined ? ' added' : is === undefined ? ' lost' : membersThatDiffer(name, was, is);
    return [{ signature: `header ${shown}${change}`, before: was ?? 'absent', after: is ?? 'absent' }];
  });
}

/** The state and reason of the first source whose member differs, so that one listed change does not hide all others. */
function membersThatDiffer(name: string, was: string, is: string): string {
  if (name !== 'source-status') return '';
  const [before, after] = [was, is].map((value) => value.split(', ').map((member) => member.split(';')));
  const at = before?.findIndex((member, index) => member.join(';') !== after?.[index]?.join(';')) ?? 0;
  const show = (member: readonly string[] = []): string =>
    member
      .slice(1)
      .filter((part) => /^(state|reason)=/.test(part))
      .join(';') || 'none';
  const [old, now] = [show(before?.[at]), show(after?.[at])];
  return old === now ? `: other numbers of ${old}` : `: ${old} > ${now}`;
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'x-ndjson': 'ndjson',
  'x-yaml': 'yaml',
  'atom+xml': 'atom',
  'rss+xml': 'rss',
  'geo+json': 'geojson',
  'pgp-keys': 'asc',
  vcard: 'vcf',
};

function compareBodies(before: Answer, after: Answer): readonly Difference[] {
  const [was, is] = [textOf(before), textOf(after)];
  if (was === is) return [];
  const [, subtype = ''] = /\/([^;]*)/.exec(String(before.headers['content-type'])) ?? [];
  const extension = EXTENSIONS[subtype] ?? subtype;
  const resource = before.path
    .replace(/^(\/(?:directory|data)\/v1)?\/(teams|news)\/[^/]+(\/same)?.*/, '$1/$2/ID$3')
    .replace(/\.[a-z]+$/, '');
  const status = before.status === 200 ? '' : `${before.status} `;
  let from = 0;
  while (from < was.length && was[from] === is[from]) from += 1;
  const signature = `body ${status}${resource}.${extension}`;
  return [{ signature, before: excerpt(was, from), after: excerpt(is, from) }];
}

function textOf(answer: Answer): string {
  const { headers, body } = answer;
  const isWorkbook = String(headers['content-type']).includes('spreadsheetml');
  return normalise('body', isWorkbook && body.length > 0 ? readCells(body) : body.toString(), answer);
}

/** The cells of all sheets of a workbook: address, type and value. */
function readCells(body: Buffer): string {
  const files = Object.entries(unzipSync(body)).map(([name, bytes]) => [name, Buffer.from(bytes).toString()] as const);
  const texts = [...(files.find(([name]) => name === 'xl/sharedStrings.xml')?.[1].matchAll(/<si>(.*?)<\/si>/gs) ?? [])];
  const strip = (xml: string): string => xml.replace(/<[^>]*>/g, '');
  return files
    .filter(([name]) => name.startsWith('xl/worksheets/sheet'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, xml]) => [
      name,
      ...[...xml.matchAll(/<c ([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)].map(([, attributes = '', inner = '']) => {
        const [, address = ''] = /r="([A-Z]+\d+)"/.exec(attributes) ?? [];
        const value = strip(inner);
        if (attributes.includes('t="s"')) return `${address} text ${strip(texts[Number(value)]?.[1] ?? '')}`;
        return `${address} ${/t="(inlineStr|str)"/.test(attributes) ? 'text' : 'other'} ${value}`;
      }),
    ])
    .join('\n');
}

function excerpt(text: string, at: number): string {
  return JSON.stringify(text.slice(Math.max(0, at - 60), at + 120));
}

/** Compares the names and types of the metrics of two programs. */
export function compareMetrics(before: Received, after: Received): readonly Difference[] {
  const [was, is] = [before, after].map(({ body }) => new Set(body.toString().match(/^# TYPE .*/gm)));
  const only = (some: Iterable<string> = [], others = new Set<string>()): readonly string[] =>
    [...some].filter((line) => !others.has(line)).map((line) => line.replace('# TYPE ', ''));
  return [
    ...only(was, is).map((metric) => ({ signature: `metric ${metric} lost`, before: metric, after: 'absent' })),
    ...only(is, was).map((metric) => ({ signature: `metric ${metric} added`, before: 'absent', after: metric })),
  ];
}
