import fc from 'fast-check';
import type { RawRecord } from '../../support/upstream/paged-responses.js';
import { foreignName } from './random-documents.js';
import type { GeneratedDocument } from './random-documents.js';

/** Why a document cannot be read at all: it is an HTML page, it has no list, an error, or the second document is gone. */
export type DocumentFault = 'html' | 'no list' | 'error' | 'second gone';

/** A change of a document. Each is made of the document at the beginning of the history, so that a later one may revert it. */
export type DocumentChange =
  /** The column of a property has another name, in the entries of both documents. */
  | { readonly kind: 'rename'; readonly column: number }
  /** The names of one of so many records are gone. */
  | { readonly kind: 'lose names'; readonly each: 1 | 2 | 3 }
  /** This part of the entries remains, in tenths. */
  | { readonly kind: 'keep'; readonly tenths: number }
  | { readonly kind: 'reverse' | 'nothing' };

/** A step of a history: what the document is then, and how long after the step before it is requested, in milliseconds. */
export interface DocumentStep {
  readonly change: DocumentChange;
  readonly fault: DocumentFault | undefined;
  readonly wait: number;
}

const change: fc.Arbitrary<DocumentChange> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rename' as const), column: fc.nat(40) }) },
  fc.record({ kind: fc.constant('lose names' as const), each: fc.constantFrom(1 as const, 2 as const, 3 as const) }),
  fc.record({ kind: fc.constant('keep' as const), tenths: fc.constantFrom(0, 1, 3, 4, 6, 9) }),
  fc.record({ kind: fc.constantFrom('reverse' as const, 'nothing' as const, 'nothing' as const) }),
);

const fault = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom<DocumentFault[]>('html', 'no list', 'error', 'second gone') },
);

/** Longer than the time to live; longer than `confirm-shrink`; longer than `stale-if-error`. */
const wait = fc.constantFrom(61_000, 61_000, 61_000, 601_000, 90_000_000);

/** Histories of a document. */
export const documentHistory: fc.Arbitrary<readonly DocumentStep[]> = fc.array(fc.record({ change, fault, wait }), {
  minLength: 4,
  maxLength: 14,
});

/** The document after a change. */
export function changeDocument(document: GeneratedDocument, change: DocumentChange): GeneratedDocument {
  const { entries, map, second } = document;
  switch (change.kind) {
    case 'rename': {
      const names = [...map.map(([property]) => property), 'uuid', 'status'];
      const name = foreignName(names[change.column % names.length] ?? '');
      const rename = (entry: RawRecord): RawRecord => renameMember(entry, [name, `x-${name}`]);
      return {
        ...document,
        entries: entries.map(rename),
        second: second && { ...second, entries: second.entries.map(rename) },
      };
    }
    case 'lose names':
      return { ...document, entries: entries.map((entry, at) => (at % change.each === 0 ? loseNames(entry) : entry)) };
    case 'keep':
      return { ...document, entries: entries.slice(0, Math.floor((entries.length * change.tenths) / 10)) };
    case 'reverse':
      return { ...document, entries: entries.toReversed() };
    case 'nothing':
      return document;
  }
}

const NAMES = ['short-team-name', 'official-team-name', 'team', 'team-full', 'title', 'summary', 'link'];

function loseNames(entry: RawRecord): RawRecord {
  const names = NAMES.map(foreignName);
  return renameMember(entry, [...names, ...names.map((name) => `x-${name}`)]);
}

/** Gives these members of an entry another name, also those in an object of the entry. */
function renameMember(entry: RawRecord, names: readonly string[]): RawRecord {
  const members = Object.entries(entry).map(([name, value]): [string, unknown] => [
    names.includes(name) ? `renamed-${name}` : name,
    name === 'contact' ? renameMember(Object.fromEntries(Object.entries(value ?? {})), names) : value,
  ]);
  return Object.fromEntries(members);
}
