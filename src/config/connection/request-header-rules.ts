import { childPaths, readFields } from '../located-value.js';
import { credentialHeader } from '../schema/credentials-schema.js';
import { TAKEN_FIELDS, isFieldName } from '../schema/request-header-schema.js';
import type { ConfigIssue } from '../yaml/config-error.js';
import { entryPathsAt, keyOffsetOf } from '../yaml/config-node.js';
import type { ConfigNode, ConfigPath } from '../yaml/config-node.js';

/** Set by Rollcall, but the operator may replace them. */
const REPLACEABLE_FIELDS: ReadonlySet<string> = new Set(['accept', 'user-agent']);

/** In the setting that is named here, Rollcall keeps the values out of its messages. */
const SECRET_FIELDS: ReadonlyMap<string, string> = new Map([
  ['authorization', 'credentials'],
  ['cookie', 'credentials'],
  ['proxy-authorization', 'proxy'],
]);

/**
 * Names are tokens, each once whatever its case, and neither set by Rollcall or HTTP itself nor the field of a
 * credential (operation 2.8.18).
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
