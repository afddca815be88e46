import { compileExpression } from '../../text/jmespath-adapter.js';
import type { RegisteredSource } from '../schema/config-file.js';
import { type Setting, valuesOf } from '../setting.js';
import type { ConfigIssue } from '../yaml/config-node.js';
import type { DocumentFileCheck } from '../yaml/expand-variables.js';
import { hasSourcePrefix, hintAtName } from './property-rules.js';
import {
  IDENTITY,
  chooseMappedResource,
  listMappableNames,
  listNameProperties,
  needsIdentity,
  toResourceName,
} from '../build-document.js';
import { findOtherOrigins } from './connection-rules.js';

type Source = Setting<RegisteredSource>;
type Document = Setting<RegisteredSource['document']>;

/** Have no meaning for a document (operation 2.8.16). */
const INTERFACE_SETTINGS = [
  ...['directory', 'data', 'resources', 'supports', 'aggregate', 'all-keys-public', 'page-size', 'drain-threshold'],
];

/**
 * No setting of the two interfaces, expressions without errors, known properties, a property that names the record, and
 * a complete second document. Empty for any other source.
 */
export function checkDocument(source: Source): ConfigIssue[] {
  const document = source.at('document');
  if (!document.isPresent) return [];
  return [
    ...source.refuse(INTERFACE_SETTINGS, 'is not a setting of a document'),
    ...listExpressions(document).flatMap(checkExpression),
    ...checkPropertyNames(source),
    ...checkRequiredProperties(document),
    ...(document.present('url', 'file').length === 1 ? [] : document.keyIssue('needs either url or file')),
    ...(document.at('file').isPresent ? source.refuse(['credentials'], 'is not a setting of a file') : []),
    ...[document, document.at('join')].flatMap(checkFormat),
    ...[document, document.at('join')].flatMap(checkPaging),
    ...checkJoin(document),
  ];
}

/** Without `findProblem`, nothing is checked. */
export function checkDocumentFiles(document: Document, findProblem: DocumentFileCheck | undefined): ConfigIssue[] {
  const files = [document.at('file'), document.at('join').at('file')];
  return files.flatMap((file) => file.check((path) => findProblem?.(path)));
}

function listExpressions(document: Document): readonly Setting<unknown>[] {
  const join = document.at('join');
  const single = [document, join].flatMap((one) => one.present('records', 'next', 'only'));
  return [...single, ...document.at('map').entries(), ...join.at('on').items()];
}

function checkExpression(setting: Setting<unknown>): ConfigIssue[] {
  const { text = '' } = setting;
  if (text.trim() === '') return [];
  const compiled = compileExpression(text);
  if ('problem' in compiled) {
    const unquoted = findUnquotedName(text);
    const hint = unquoted === undefined ? '' : `; ${describeQuotes(unquoted)}`;
    return setting.issue(`is not a valid expression: ${compiled.problem}${hint}`);
  }
  // Outside of quotes JMESPath subtracts at a hyphen, which gives nothing for texts.
  const name = /[A-Za-z_]\w*(?:-[A-Za-z_]\w*)+/.exec(text.replace(QUOTED, "''"))?.[0];
  return name === undefined ? [] : setting.issue(`reads ${name} as a subtraction; ${describeQuotes(name)}`);
}

function describeQuotes(name: string): string {
  return `for a name, write '"${name}"', with both quotes`;
}

/** In quoted names and texts, a hyphen is no minus sign. */
const QUOTED = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`/g;

/** Quoted parts, and names with spaces, hyphens or any letters. */
const QUOTED_OR_NAME = new RegExp(`${QUOTED.source}|[\\p{L}\\p{N}_]+(?:(?: +|-)[\\p{L}\\p{N}_]+)*`, 'gu');

/** Needs no quotes. */
const COMPLETE = /^(?:[A-Za-z_]\w*|\d+|["'`].*)$/s;

/** The first one, if quotes around all such names make a faulty expression valid. */
function findUnquotedName(expression: string): string | undefined {
  const names: string[] = [];
  const quoted = expression.replace(QUOTED_OR_NAME, (part) => {
    if (COMPLETE.test(part)) return part;
    names.push(part);
    return JSON.stringify(part);
  });
  return 'problem' in compileExpression(quoted) ? undefined : names[0];
}

/**
 * A name is a property of the resource, a registered further property, or belongs to the source's codes. Names of both
 * interfaces may be mixed as long as the data interface has all of them.
 */
function checkPropertyNames(source: Source): ConfigIssue[] {
  const document = source.at('document');
  const kind = document.at('resource').value ?? 'teams';
  const codes = [source.key, ...valuesOf(source.at('prefixes').items())];
  const known = [...listMappableNames(kind), ...valuesOf(source.at('properties').items())];
  const [mapped, defaults] = [document.at('map').entries(), document.at('defaults').entries()];
  const resource = chooseMappedResource(
    kind,
    [...mapped, ...defaults].map(({ key }) => key),
  );
  const findProblem = (name: string, names: readonly Setting<string>[]): string | undefined => {
    if (hasSourcePrefix(name, codes)) return undefined;
    if (name === IDENTITY && names === defaults) return 'has no default';
    if (!known.includes(name)) return `is not a property of ${kind}${hintAtName(name, known, JSON.stringify)}`;
    const inResource = toResourceName(name, resource);
    if (inResource === undefined) {
      const counterpart = name === 'enckeys' ? '; pgp-fingerprint and pgp-id are' : '';
      return `is not on the data interface, whose properties the other names belong to${counterpart}`;
    }
    const twin = names.find(({ key }) => key < name && toResourceName(key, resource) === inResource);
    return twin && `is the same property as ${twin.key}`;
  };
  return [mapped, defaults].flatMap((names) =>
    names.flatMap((setting) => setting.keyIssue(findProblem(setting.key, names))),
  );
}

/** Records without a name are left out (decisions 4.7), and news items without an id cannot be requested. */
function checkRequiredProperties(document: Document): ConfigIssue[] {
  const kind = document.at('resource').value ?? 'teams';
  const map = document.at('map');
  const names = listNameProperties(kind);
  const missing = [
    ...(map.present(...names).length > 0 ? [] : [`one of ${names.join(', ')}`]),
    ...(!needsIdentity(kind) || map.present(IDENTITY).length > 0 ? [] : [IDENTITY]),
  ];
  return missing.length === 0 ? [] : map.keyIssue(`needs ${missing.join('; and ')}`);
}

type Address = Setting<RegisteredSource['document'] | NonNullable<RegisteredSource['document']>['join']>;

/** Only CSV has a delimiter, and encodings that a document does not state. */
function checkFormat(address: Address): ConfigIssue[] {
  const format = address.at('format').value;
  if (format === undefined || format === 'csv') return [];
  return address.refuse(['delimiter', 'encoding'], 'is a setting of the format csv');
}

/** Pages are linked or counted, and a file has one page. */
function checkPaging(address: Address): ConfigIssue[] {
  if (address.at('file').isPresent) return address.refuse(['next', 'page'], 'a file has one page');
  const [, second] = address.present('next', 'page');
  if (second !== undefined) return second.keyIssue('is given beside next: pages are linked or counted');
  const page = address.at('page');
  return !page.isPresent || page.at('parameter').isPresent ? [] : page.keyIssue('needs parameter');
}

/** The second document is complete, and has the origin of the first: it gets the same credentials (decisions 8.4). */
function checkJoin(document: Document): ConfigIssue[] {
  const join = document.at('join');
  if (!join.isPresent) return [];
  const [first, second] = [document, join].map((one) => one.present('url', 'file').map(({ key }) => key));
  const missing = [
    ...(join.at('on').items().length === 2 ? [] : ['on: two expressions, for the keys of both documents']),
    ...(join.at('as').isPresent ? [] : ['as: the name of the added list']),
    ...(second?.length === 1 ? [] : ['either url or file']),
  ];
  if (missing.length > 0) return join.keyIssue(`needs ${missing.join('; ')}`);
  if (first?.[0] !== second?.[0])
    return join.keyIssue('must be at an address if the first document is, and in a file if that is');
  const addresses = [document.at('url'), join.at('url')].flatMap((url) => url.ifValid());
  return findOtherOrigins(addresses).flatMap((url) =>
    url.keyIssue('must have the scheme, host and port of the first document'),
  );
}
