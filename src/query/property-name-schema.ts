import type { JsonSchema } from '../model/schema/json-schema.js';
import type { TeamScope } from '../model/query.js';
import { scopeDescriptions } from '../model/resources/team-scopes.js';
import { listFields, listProperties } from './vocabulary.js';
import type { Vocabulary } from './vocabulary.js';

/** Names that can be listed, `added` ones of the operation, and the form `-<code>-…` (decisions 2.20). */
export function createPropertyNameSchema(
  vocabulary: Vocabulary,
  parameter: 'fields' | 'sort',
  added: readonly string[] = [],
): JsonSchema {
  const { resource, codes, aggregate } = vocabulary;
  const { idProperty } = resource;
  const ids = idProperty === undefined ? [] : [idProperty];
  const listed = [...listNames(vocabulary, parameter), ...ids, ...added];
  const names = parameter === 'sort' ? listed.flatMap((name) => [name, `-${name}`]) : listed;
  const known: JsonSchema = { type: 'string', enum: names };
  if (codes.length === 0 && !aggregate) return known;
  return { anyOf: [known, { type: 'string', pattern: LIST_ITEM_PATTERNS[parameter](vocabulary) }] };
}

/** An item of a list contains no comma. In `sort`, a hyphen may precede the name. */
const LIST_ITEM_PATTERNS = {
  fields: (vocabulary: Vocabulary) => `${createOwnPropertyPattern(vocabulary)}${LIST_ITEM_END}`,
  sort: (vocabulary: Vocabulary) => `${createOwnPropertyPattern(vocabulary, '-?')}${LIST_ITEM_END}`,
};

const LIST_ITEM_END = '[^,]*$';

/** All scopes for `fields`; the public profile for `sort`. */
function listNames(vocabulary: Vocabulary, parameter: 'fields' | 'sort'): readonly string[] {
  if (parameter === 'sort' || !vocabulary.resource.hasScopes) return listProperties(vocabulary);
  const scopes = Object.keys(scopeDescriptions) as TeamScope[];
  return [...new Set(scopes.flatMap((scope) => listFields(vocabulary, scope)))];
}

/**
 * Names of properties that only one source has: with a registered code or prefix, or with any code where an aggregate
 * is registered. Excluded are properties with PGP keys where the resource hides these. `sign` is a pattern of what may
 * precede the name.
 */
export function createOwnPropertyPattern({ codes, aggregate, resource }: Vocabulary, sign = ''): string {
  const hidden = resource.pgpKeyProperties.length > 0 ? '(?!.*(?:[pP][gG][pP]|[eE][nN][cC][kK][eE][yY][sS]))' : '';
  const code = aggregate ? '[a-z][a-z0-9-]*' : `(?:${codes.join('|')})`;
  return `^${hidden}${sign}-${code}-[^\\s,]`;
}
