import type { RawRecord } from '../../support/upstream/paged-responses.js';
import type { DocumentExpression } from '../model/document-expression.js';

/** How the value of a property is written in the entries, and read by its expression. */
export interface PropertyForm {
  readonly expression: (name: string) => DocumentExpression;
  /** Adds the value of a property to the entry in a row, and to the second document. */
  readonly place: (target: Target, name: string, value: unknown) => void;
}

/** An entry that is built, and the second document. */
interface Target {
  readonly row: number;
  /** Row of the first entry that is made of the same record: both have their values at the same places. */
  readonly variant: number;
  readonly entry: Record<string, unknown>;
  readonly second: RawRecord[];
}

/** The value at a path of names. */
export const path = (...names: readonly string[]): DocumentExpression => ({ kind: 'path', names });

function placeInEntry({ entry }: Target, name: string, value: unknown): void {
  entry[name] = value;
}

function placeIn(object: string): PropertyForm['place'] {
  return ({ entry }, name, value) => {
    entry[object] = { ...(entry[object] as RawRecord | undefined), [name]: value };
  };
}

function placeAsObjects({ entry }: Target, name: string, value: unknown): void {
  entry[name] = [value].flat().map((one, at) => ({ value: one, old: at % 2 === 1 }));
}

/** Adds the values to the second document. The key is a number, a text, or a list of both with a key that no entry has. */
function placeInSecond({ row, second }: Target, name: string, value: unknown): void {
  const keys = [row, String(row), ['nobody', row]];
  [value].flat().forEach((one, at) => {
    second.push({ owner: keys[(row + at) % keys.length], [name]: one, old: at % 2 === 1, line: second.length });
  });
}

/** Name of the list of entries of the second document. */
export const SECOND = 'second';

/** Forms that give every value unchanged. */
const VERBATIM_FORMS: readonly PropertyForm[] = [
  { expression: path, place: placeInEntry },
  {
    expression: (name) => path(`x-${name}`),
    place: (target, name, value) => placeInEntry(target, `x-${name}`, value),
  },
  { expression: (name) => path('contact', name), place: placeIn('contact') },
];

/** Forms that leave values out, or add some. */
const LIST_FORMS: readonly PropertyForm[] = [
  ...VERBATIM_FORMS,
  {
    expression: (name) => ({ kind: 'either', of: path(name), other: path('contact', name) }),
    place: (target, name, value) => (target.variant % 2 === 0 ? placeInEntry : placeIn('contact'))(target, name, value),
  },
  {
    expression: (name) => ({
      kind: 'list',
      items: [path(name), path('contact', name), { kind: 'text', text: 'Extra' }],
    }),
    place: (target, name, value) => {
      if (target.variant % 3 > 0) placeInEntry(target, name, value);
      if (target.variant % 3 < 2) placeIn('contact')(target, name, value);
    },
  },
  { expression: (name) => ({ kind: 'each', list: name, name: 'value' }), place: placeAsObjects },
  { expression: (name) => ({ kind: 'each', list: name, name: 'value', unless: 'old' }), place: placeAsObjects },
];

/** Forms that change texts, and cannot be evaluated for other values. */
const FORMS: readonly PropertyForm[] = [
  ...LIST_FORMS,
  { expression: (name) => ({ kind: 'upper', of: path(name) }), place: placeInEntry },
  { expression: (name) => ({ kind: 'lower', of: path('contact', name) }), place: placeIn('contact') },
  {
    expression: (name) => ({ kind: 'joined', between: ' / ', items: [path(name), { kind: 'text', text: 'x' }] }),
    place: placeInEntry,
  },
  { expression: () => ({ kind: 'text', text: 'Example Org' }), place: placeInEntry },
];

/** Properties whose values must stay as they are: the oracle reads dates of a few forms only. */
const VERBATIM = ['id', 'establishment', 'last-modified', 'member-since', 'published'];

/** Properties whose texts must stay as they are: the telephone numbers and keys of both interfaces are compared. */
const VERBATIM_TEXTS = ['phone-numbers', 'phone', 'fax', 'phone-emergency', 'enckeys', 'pgp-id', 'pgp-fingerprint'];

/** Forms whose values are in the second document. */
const SECOND_FORMS: readonly PropertyForm[] = [
  { expression: (name) => ({ kind: 'each', list: SECOND, name }), place: placeInSecond },
  { expression: (name) => ({ kind: 'each', list: SECOND, name, unless: 'old' }), place: placeInSecond },
  { expression: (name) => ({ kind: 'first', list: SECOND, name }), place: placeInSecond },
];

/** The form of a property. Values of the properties in `distinct` must stay different for different records. */
export function choosePropertyForm(
  property: string,
  choice: number,
  { distinct, hasSecond }: { readonly distinct: readonly string[]; readonly hasSecond: boolean },
): PropertyForm {
  const forms = [...VERBATIM, ...distinct].includes(property)
    ? VERBATIM_FORMS
    : [
        ...(VERBATIM_TEXTS.includes(property) ? LIST_FORMS : FORMS),
        ...(hasSecond ? [...SECOND_FORMS, ...SECOND_FORMS] : []),
      ];
  return forms[choice % forms.length] ?? { expression: path, place: placeInEntry };
}
