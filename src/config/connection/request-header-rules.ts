import { childPaths, readFields } from '../located-value.js';
import { credentialHeader } from '../schema/credentials-schema.js';
import { TAKEN_FIELDS, isFieldName } from '../schema/request-header-schema.js';
import type { ConfigIssue } from '../yaml/config-error.js';
import { entryPathsAt, keyOffsetOf } from '../yaml/config-node.js';
import type { ConfigNode, ConfigPath } from '../yaml/config-node.js';

/** Fields that Rollcall sets by itself, and that the operator may replace. */
const REPLACEABLE_FIELDS: ReadonlySet<string> = new Set(['accept', 'user-agent']);

/** Fields whose values are secret, with the setting in which Rollcall keeps them out of its messages. */
const SECRET_FIELDS: ReadonlyMap<string, string> = new Map([
  ['authorization', 'credentials'],
  ['cookie', 'credentials'],
  ['proxy-authorization', 'proxy'],
]);

/**
 * Checks the names of further request header fields (operation 2.8.18): tokens, each once whatever its case, and neither
 * set by Rollcall or HTTP itself nor the field of a credential.
 */
export function checkRequestHeaders(root: ConfigNode, source: ConfigPath): ConfigIssue[] {
  const credentials = entryPathsAt(root, [...source, 'credentials']);
  const credentialFields = readFields(root, childPaths(credentials, 'header'), credentialHeader).map(
    ({ value }) => value.name,
  );
  const paths = entryPathsAt(root, [...source, 'headers']);
  const names = paths.map((path) => String(path.at(-1)).toLowerCase());
  return paths.flatMap((path, at) => {
    const name = names[at] ?? '';
    const message = names.indexOf(name) < at ? 'is the same field as another key' : findProblem(name, credentialFields);
    return message === undefined ? [] : [{ path, offset: keyOffsetOf(root, path), message }];
  });
}

function findProblem(name: string, credentialFields: readonly string[]): string | undefined {
  if (!isFieldName(name)) return 'is not the name of a header field';
  const setting = SECRET_FIELDS.get(name);
  if (setting !== undefined) return `is secret; use ${setting}`;
  if (TAKEN_FIELDS.has(name) && !REPLACEABLE_FIELDS.has(name)) return 'is a field that Rollcall or HTTP itself sets';
  return credentialFields.includes(name) ? 'is the field of a credential' : undefined;
}
