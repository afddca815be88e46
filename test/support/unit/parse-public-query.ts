import type { Query } from '../../../src/model/query.js';
import { defaultScopeAccess } from '../../../src/model/resources/team-scopes.js';
import { parseQuery } from '../../../src/query/parse-query.js';
import type { Vocabulary } from '../../../src/query/vocabulary.js';

/** Parses a query string of a client with public access. Throws if it is invalid or needs another access level. */
export function parsePublicQuery(raw: string, vocabulary: Vocabulary): Query {
  const rules = { limit: { default: 100, max: 10_000 }, envelope: false, scopeAccess: defaultScopeAccess };
  const parsed = parseQuery(raw, { vocabulary, ...rules }, 'public');
  if (!('query' in parsed)) throw new Error(`${raw}: ${JSON.stringify(parsed)}`);
  return parsed.query;
}
