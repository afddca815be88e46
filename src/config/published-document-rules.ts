import type { Resource } from '../model/resource.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { findNearestName } from '../text/nearest-name.js';
import { compileExpression } from '../text/jmespath-adapter.js';
import { tablePropertyNames } from './check-property-name.js';
import { readField, readFields } from './located-value.js';
import { fields } from './schema/config-file-schema.js';
import { publishedDocumentFields } from './schema/published-document-schema.js';
import type { ConfigIssue } from './yaml/config-error.js';
import { entryPathsAt, itemPathsAt, keyOffsetOf, nodeAt } from './yaml/config-node.js';
import type { ConfigNode, ConfigPath } from './yaml/config-node.js';

/** Settings that describe one of the two interfaces, and have no meaning for a document (operation 2.8.16). */
const INTERFACE_SETTINGS = ['directory', 'data', 'supports', 'aggregate', 'all-keys-public', 'page-size'];

/** The resource whose properties a document maps. */
const RESOURCE: Resource = directoryTeams;

/**
 * Checks a source that is a published document (operation 2.8.16): no setting of the two interfaces, expressions without
 * errors, known properties, and a property that names the team. Empty for any other source.
 */
export function checkPublishedDocument(root: ConfigNode, source: ConfigPath): ConfigIssue[] {
  const document = [...source, 'document'];
  if (nodeAt(root, document) === undefined) return [];
  return [
    ...checkOtherSettings(root, source),
    ...[[...document, 'records'], [...document, 'only'], ...entryPathsAt(root, [...document, 'map'])].flatMap((path) =>
      checkExpression(root, path),
    ),
    ...['map', 'defaults'].flatMap((key) => checkPropertyNames(root, source, [...document, key])),
    ...checkName(root, document),
    ...checkAddress(root, document),
  ];
}

function checkOtherSettings(root: ConfigNode, source: ConfigPath): ConfigIssue[] {
  const present = INTERFACE_SETTINGS.map((key) => [...source, key]).filter((path) => nodeAt(root, path) !== undefined);
  const resources = itemPathsAt(root, [...source, 'resources']).filter(
    (path) => readField(root, path, fields.name)[0]?.value !== RESOURCE.path,
  );
  return [
    ...present.map((path) => ({ path, offset: keyOffsetOf(root, path), message: 'is not a setting of a document' })),
    ...resources.map((path) => ({ path, offset: keyOffsetOf(root, path), message: 'a document has teams only' })),
  ];
}

function checkExpression(root: ConfigNode, path: ConfigPath): ConfigIssue[] {
  const [found] = readField(root, path, publishedDocumentFields.expression.optional());
  if (found?.value === undefined) return [];
  const { offset } = found;
  const compiled = compileExpression(found.value);
  if ('problem' in compiled) return [{ path, offset, message: `is not a valid expression: ${compiled.problem}` }];
  const name = findSubtractionOfNames(found.value);
  if (name === undefined) return [];
  return [{ path, offset, message: `reads ${name} as a subtraction; write "${name}", with quotes, for a name` }];
}

/** Quoted names and texts, in which a hyphen is no minus sign. */
const QUOTED = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`/g;

/** The first name with a hyphen outside of quotes: JMESPath subtracts there, which gives nothing for texts. */
function findSubtractionOfNames(expression: string): string | undefined {
  return /[A-Za-z_]\w*(?:-[A-Za-z_]\w*)+/.exec(expression.replace(QUOTED, "''"))?.[0];
}

/** Rollcall writes the source-name itself. A further property must be registered, or belong to the source's codes. */
function checkPropertyNames(root: ConfigNode, source: ConfigPath, mapping: ConfigPath): ConfigIssue[] {
  const codes = [
    String(source.at(-1)),
    ...readFields(root, itemPathsAt(root, [...source, 'prefixes']), fields.code).map(({ value }) => value),
  ];
  const properties = readFields(root, itemPathsAt(root, [...source, 'properties']), fields.property);
  const known = [...tablePropertyNames(RESOURCE), ...properties.map(({ value }) => value)].filter(
    (name) => name !== RESOURCE.sourceNameProperty,
  );
  return entryPathsAt(root, mapping).flatMap((path) => {
    const name = String(path.at(-1));
    if (known.includes(name) || codes.some((code) => name.startsWith(`-${code}-`) && name.length > code.length + 2))
      return [];
    const nearest = findNearestName(name, known);
    const hint = nearest === undefined ? '' : `; did you mean ${JSON.stringify(nearest)}?`;
    return [{ path, offset: keyOffsetOf(root, path), message: `is not a property of teams${hint}` }];
  });
}

/** A document is at an address or in a file. */
function checkAddress(root: ConfigNode, document: ConfigPath): ConfigIssue[] {
  const present = ['url', 'file'].filter((key) => nodeAt(root, [...document, key]) !== undefined);
  const credentials = [...document.slice(0, -1), 'credentials'];
  if (present.length === 1 && present[0] === 'file' && nodeAt(root, credentials) !== undefined)
    return [{ path: credentials, offset: keyOffsetOf(root, credentials), message: 'a file needs no credentials' }];
  if (present.length === 1) return [];
  return [{ path: document, offset: keyOffsetOf(root, document), message: 'needs either url or file' }];
}

/** A record without a name is left out (decisions 4.7), so a document without one would have no records. */
function checkName(root: ConfigNode, document: ConfigPath): ConfigIssue[] {
  const { nameProperties } = RESOURCE;
  const isNamed = nameProperties.some((name) => nodeAt(root, [...document, 'map', name]) !== undefined);
  if (isNamed) return [];
  const path = [...document, 'map'];
  return [{ path, offset: keyOffsetOf(root, path), message: `needs ${nameProperties.join(' or ')}` }];
}
