import type { TeamScope } from '../../model/query.js';
import { ROW_FORMATS, formatScopes, listOnlyFormats, servedFormats } from '../../model/resources/served-formats.js';
import type { FormatName } from '../../model/resources/served-formats.js';
import type { QueryRules } from '../../query/parse-query.js';
import { formats } from '../../render/formats.js';
import type { Format } from '../../render/formats.js';
import type { FormatTarget } from './response-format.js';

type PathRules = Pick<QueryRules, 'vocabulary' | 'item' | 'search' | 'fixedProperties'>;

/**
 * In order of preference (decisions 2.5). Without a scope, those of every scope are included. Rows that are made of
 * records are no records, and have no format that is made for records; hits of a search are records.
 */
export function listServedFormats(
  { vocabulary, item, search, fixedProperties }: PathRules,
  scope?: TeamScope,
): readonly Format[] {
  const names: readonly FormatName[] = fixedProperties === true ? ROW_FORMATS : servedFormats[vocabulary.resource.name];
  const isWholeList = item !== true && search !== true;
  return formats.filter(
    ({ name }) =>
      names.includes(name) && isServedInScope(name, scope) && (isWholeList || !listOnlyFormats.includes(name)),
  );
}

function isServedInScope(name: FormatName, scope: TeamScope | undefined): boolean {
  const scopes = formatScopes[name];
  return scopes === undefined || scope === undefined || scopes.includes(scope);
}

export function describeFormatTarget(rules: PathRules, scope: TeamScope | undefined): FormatTarget {
  const { path } = rules.vocabulary.resource;
  const itemNoun = rules.fixedProperties === true ? `${path} of other repositories` : `single records of ${path}`;
  const listNoun = rules.search === true ? `results of a search for ${path}` : path;
  return {
    noun: rules.item === true ? itemNoun : listNoun,
    servedFormats: listServedFormats(rules, scope),
  };
}
