import { findNearestName } from '../../text/nearest-name.js';
import { compileExpression } from '../../text/jmespath-adapter.js';
import {
  type DocumentResource,
  IDENTITY,
  chooseMappedResource,
  listMappableNames,
  listNameProperties,
  needsIdentity,
  toResourceName,
} from './mapped-resource.js';
import { readField, readFields } from '../located-value.js';
import { checkDocumentAddress } from './document-address-rules.js';
import { fields } from '../schema/config-file-schema.js';
import { publishedDocumentFields } from '../schema/published-document-schema.js';
import { createKeyIssues } from '../yaml/config-error.js';
import type { ConfigIssue } from '../yaml/config-error.js';
import { entryPathsAt, itemPathsAt, nodeAt, presentKeysAt } from '../yaml/config-node.js';
import type { ConfigNode, ConfigPath } from '../yaml/config-node.js';

/** Have no meaning for a document (operation 2.8.16). */
const INTERFACE_SETTINGS = [
  ...['directory', 'data', 'resources', 'supports', 'aggregate', 'all-keys-public', 'page-size', 'drain-threshold'],
];

/**
 * No setting of the two interfaces, expressions without errors, known properties, a property that names the record, and
 * a complete second document. Empty for any other source.
 */
export function checkPublishedDocument(root: ConfigNode, source: ConfigPath): ConfigIssue[] {
  const document = [...source, 'document'];
  if (nodeAt(root, document) === undefined) return [];
  return [
    ...createKeyIssues(root, presentKeysAt(root, source, INTERFACE_SETTINGS), 'is not a setting of a document'),
    ...listExpressions(root, document).flatMap((path) => checkExpression(root, path)),
    ...checkPropertyNames(root, source),
    ...checkRequiredProperties(root, document),
    ...checkDocumentAddress(root, source),
  ];
}

function listExpressions(root: ConfigNode, document: ConfigPath): readonly ConfigPath[] {
  const join = [...document, 'join'];
  const single = [document, join].flatMap((path) => ['records', 'next', 'only'].map((key) => [...path, key]));
  return [...single, ...entryPathsAt(root, [...document, 'map']), ...itemPathsAt(root, [...join, 'on'])];
}

function checkExpression(root: ConfigNode, path: ConfigPath): ConfigIssue[] {
  const [found] = readField(root, path, publishedDocumentFields.expression.optional());
  if (found?.value === undefined) return [];
  const { offset } = found;
  const compiled = compileExpression(found.value);
  if ('problem' in compiled) {
    const unquoted = findUnquotedName(found.value);
    const hint = unquoted === undefined ? '' : `; ${describeQuotes(unquoted)}`;
    return [{ path, offset, message: `is not a valid expression: ${compiled.problem}${hint}` }];
  }
  const name = findSubtractionOfNames(found.value);
  if (name === undefined) return [];
  return [{ path, offset, message: `reads ${name} as a subtraction; ${describeQuotes(name)}` }];
}

function describeQuotes(name: string): string {
  return `for a name, write '"${name}"', with both quotes`;
}

/** In quoted names and texts, a hyphen is no minus sign. */
const QUOTED = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`/g;

/** Outside of quotes JMESPath subtracts at a hyphen, which gives nothing for texts. */
function findSubtractionOfNames(expression: string): string | undefined {
  return /[A-Za-z_]\w*(?:-[A-Za-z_]\w*)+/.exec(expression.replace(QUOTED, "''"))?.[0];
}

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

function readResource(root: ConfigNode, document: ConfigPath): DocumentResource {
  return readField(root, [...document, 'resource'], publishedDocumentFields.resource)[0]?.value ?? 'teams';
}

function listNames(root: ConfigNode, document: ConfigPath): readonly ConfigPath[] {
  return ['map', 'defaults'].flatMap((key) => entryPathsAt(root, [...document, key]));
}

/**
 * A name is a property of the resource, a registered further property, or belongs to the source's codes. Names of both
 * interfaces may be mixed as long as the data interface has all of them.
 */
function checkPropertyNames(root: ConfigNode, source: ConfigPath): ConfigIssue[] {
  const document = [...source, 'document'];
  const kind = readResource(root, document);
  const codes = [
    String(source.at(-1)),
    ...readFields(root, itemPathsAt(root, [...source, 'prefixes']), fields.code).map(({ value }) => value),
  ];
  const registered = readFields(root, itemPathsAt(root, [...source, 'properties']), fields.property);
  const known = [...listMappableNames(kind), ...registered.map(({ value }) => value)];
  const paths = listNames(root, document);
  const resource = chooseMappedResource(
    kind,
    paths.map((path) => String(path.at(-1))),
  );
  const isOwn = (name: string): boolean =>
    codes.some((code) => name.startsWith(`-${code}-`) && name.length > code.length + 2);
  return paths.flatMap((path) => {
    const name = String(path.at(-1));
    if (isOwn(name)) return [];
    if (name === IDENTITY && path.at(-2) === 'defaults') return createKeyIssues(root, [path], 'has no default');
    if (!known.includes(name))
      return createKeyIssues(root, [path], `is not a property of ${kind}${suggest(name, known)}`);
    const inResource = toResourceName(name, resource);
    if (inResource === undefined) {
      const counterpart = name === 'enckeys' ? '; pgp-fingerprint and pgp-id are' : '';
      const message = `is not on the data interface, whose properties the other names belong to${counterpart}`;
      return createKeyIssues(root, [path], message);
    }
    const twin = paths.find(
      (other) => isEarlierName(other, path) && toResourceName(String(other.at(-1)), resource) === inResource,
    );
    return twin === undefined ? [] : createKeyIssues(root, [path], `is the same property as ${String(twin.at(-1))}`);
  });
}

/** In the same mapping, and before `path` in the alphabet. */
function isEarlierName(other: ConfigPath, path: ConfigPath): boolean {
  return other.at(-2) === path.at(-2) && String(other.at(-1)) < String(path.at(-1));
}

function suggest(name: string, known: readonly string[]): string {
  const nearest = findNearestName(name, known);
  return nearest === undefined ? '' : `; did you mean ${JSON.stringify(nearest)}?`;
}

/** Records without a name are left out (decisions 4.7), and news items without an id cannot be requested. */
function checkRequiredProperties(root: ConfigNode, document: ConfigPath): ConfigIssue[] {
  const kind = readResource(root, document);
  const map = [...document, 'map'];
  const names = listNameProperties(kind);
  const missing = [
    ...(presentKeysAt(root, map, names).length > 0 ? [] : [`one of ${names.join(', ')}`]),
    ...(!needsIdentity(kind) || presentKeysAt(root, map, [IDENTITY]).length > 0 ? [] : [IDENTITY]),
  ];
  return missing.length === 0 ? [] : createKeyIssues(root, [map], `needs ${missing.join('; and ')}`);
}
