import type { IncomingMessage } from 'node:http';
import type { Query } from '../model/query.js';
import { jsonpMediaType } from '../render/formats.js';
import type { Asked } from './asked.js';
import { linkField } from './paging-links.js';
import { pathsOf, tooLong } from './question.js';
import type { Served } from './serving.js';
import { readTarget } from './target.js';
import { understand } from './understand.js';

/** The media type that an answer is written in, with its charset. */
export function contentType({ format, mediaType }: Asked, callback: string | undefined): string {
  const type = callback === undefined ? mediaType : jsonpMediaType;
  return format.text ? `${type}; charset=utf-8` : type;
}

/**
 * One text for all requests for a list that get the same bytes, however their parameters are ordered and spelled; undefined where the bytes depend on
 * how they are (a workbook names its own address).
 */
export function representationKey(query: Query, asked: Asked): string | undefined {
  if (asked.format.name === 'xlsx') return undefined;
  const { key, offset, limit, fields, envelope, pretty, callback } = query;
  const form = `fields=${fields?.join(',') ?? '*'}&envelope=${envelope}&pretty=${pretty}&callback=${callback ?? ''}`;
  return `${key}&offset=${offset}&limit=${limit}&${form} ${contentType(asked, callback)}`;
}

/** What a request for a list asks for. */
export interface RequestedRepresentation {
  readonly key: string;
  /** The Link field of its answer, where so many records match. */
  readonly link: (total: number) => string | undefined;
}

/** Reads which representation of a list a request asks for; undefined for every other request, and for one that is refused. */
export function representationReader(
  served: readonly Served[],
): (request: IncomingMessage) => RequestedRepresentation | undefined {
  const routes = served
    .filter(({ options }) => options.rules.item !== true)
    .map(({ options, ...one }) => ({ options, pattern: pathsOf({ options, ...one }) }));
  return ({ url = '', headers }) => {
    if (tooLong(url) !== undefined) return undefined;
    const { path, query: raw } = readTarget(url);
    const route = routes.find(({ pattern }) => pattern.test(path));
    if (route === undefined) return undefined;
    const { rules, publicUrl } = route.options;
    const understood = understand(rules, { path, query: raw, accept: headers.accept });
    if (!('query' in understood)) return undefined;
    const { query, asked } = understood;
    const key = representationKey(query, asked);
    return key === undefined ? undefined : { key, link: (total) => linkField(publicUrl + path, query, total) };
  };
}
