import { documentUpstream } from '../../support/upstream/document-upstream.js';
import type { DocumentForm } from '../../support/upstream/document-upstream.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import type { ListBehaviour } from '../../support/upstream/paged-responses.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';
import { writeExpression } from '../model/document-expression.js';
import type { GeneratedDocument } from './random-documents.js';

type Wrapping = GeneratedDocument['wrapping'];

/** The entry `records` of the registration, by the way in which the entries are wrapped. */
const RECORDS: Readonly<Record<Wrapping, string | undefined>> = {
  bare: undefined,
  object: 'data.entries',
  sections: 'sections[].entries[]',
};

/** Handles the requests for a document at `/document`, and for its second document at `/second`. */
export function serveDocument(
  { entries, second, pages, wrapping, secondPages }: GeneratedDocument,
  size: number,
  { coding }: ListBehaviour,
): RequestHandler {
  const behaviour = coding === undefined ? {} : { coding };
  const first = documentUpstream({ size, write: wrap(wrapping), ...(pages && { pages }) }, entries, behaviour);
  const form: DocumentForm = { size: size * 2, write: wrap('object'), ...(secondPages && { pages: secondPages }) };
  const other = documentUpstream(form, second?.entries ?? [], behaviour);
  return faulty.when(({ path }) => path.endsWith('/second'), other, first);
}

function wrap(wrapping: Wrapping): NonNullable<DocumentForm['write']> {
  return (entries, next) => {
    if (wrapping === 'bare') return entries;
    if (wrapping === 'object') return { data: { entries }, links: { next } };
    const half = entries.length >> 1;
    return { sections: [{ entries: entries.slice(0, half) }, { title: 'none' }, { entries: entries.slice(half) }] };
  };
}

/** The registration of a document that `serveDocument` serves. */
export function registerDocument(document: GeneratedDocument, address: string): object {
  const { resource, map, identity, defaults, only, second, pages, wrapping, secondPages } = document;
  const expressions = map.map(([property, expression]) => [property, writeExpression(expression)] as const);
  return {
    url: `${address}/document`,
    resource: resource === 'news' ? 'news' : 'teams',
    ...(RECORDS[wrapping] !== undefined && { records: RECORDS[wrapping] }),
    ...paging(pages),
    map: { ...Object.fromEntries(expressions), ...(identity && { id: writeExpression(identity) }) },
    defaults: Object.fromEntries(defaults),
    ...(only && { only: writeExpression(only) }),
    ...(second && {
      join: {
        url: `${address}/second`,
        records: RECORDS.object,
        ...paging(secondPages),
        on: second.on.map(writeExpression),
        as: second.as,
      },
    }),
  };
}

function paging(pages: GeneratedDocument['pages']): object {
  if (pages === undefined) return {};
  return pages === 'linked' ? { next: 'links.next' } : { page: { parameter: 'page' } };
}
