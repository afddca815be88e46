import { channels } from '../model/resources/channels.js';
import { dataTeams } from '../model/resources/data-teams.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { news } from '../model/resources/news.js';
import { reservedPropertyNames, tablePropertyNames } from './check-property-name.js';
import { readField } from './located-value.js';
import { credentialParameter } from './schema/credentials-schema.js';
import { selectionParameters } from './supports-rules.js';
import { type ConfigIssue } from './yaml/config-error.js';
import { type ConfigNode, type ConfigPath } from './yaml/config-node.js';

/** Parameters of queries, and properties as filters, in lower case. */
const SENT_PARAMETERS: ReadonlySet<string> = new Set(
  [
    ...reservedPropertyNames,
    ...['format', 'type'],
    ...Object.values(selectionParameters).flat(),
    ...[directoryTeams, dataTeams, news, channels].flatMap(tablePropertyNames),
  ].map((name) => name.toLowerCase()),
);

/**
 * The parameter of a credential must not replace one that Rollcall sends itself (operation 2.8.12). `properties`: the
 * further properties of all registrations.
 */
export function checkCredentials(root: ConfigNode, source: ConfigPath, properties: readonly string[]): ConfigIssue[] {
  return ['public', 'members'].flatMap((level) => {
    const [found] = readField(root, [...source, 'credentials', level, 'query'], credentialParameter);
    if (found === undefined) return [];
    const { path, offset, value } = found;
    const isSent = SENT_PARAMETERS.has(value.name.toLowerCase()) || properties.includes(value.name);
    return isSent ? [{ path, offset, message: 'names a parameter that Rollcall sends' }] : [];
  });
}
