import { isDeepStrictEqual } from 'node:util';
import { type LocatedValue, childPaths, findDuplicates, readField, readFields } from './located-value.js';
import { clientFields } from './schema/access-schema.js';
import { type Field } from './schema/schema-builders.js';
import { type ConfigIssue, formatPath } from './yaml/config-error.js';
import {
  type ConfigNode,
  type ConfigPath,
  entryPathsAt,
  itemPathsAt,
  keyOffsetOf,
  offsetOf,
} from './yaml/config-node.js';

/** The one in use, and the one that replaces it (operation 2.6.2). */
const MAX_KEYS = 2;

/** Each key belongs to one entry, and the entries of a client have the same access level and rate. */
export function checkAccessRules(root: ConfigNode): ConfigIssue[] {
  const clients = itemPathsAt(root, ['access', 'clients']);
  return [
    ...checkSharedNames(root, readFields(root, childPaths(clients, 'name'), clientFields.name)),
    ...findDuplicates(readFields(root, childPaths(clients, 'key-sha256'), clientFields.keySha256)),
    ...checkClaims(root),
  ];
}

function checkSharedNames(root: ConfigNode, names: readonly LocatedValue<string>[]): ConfigIssue[] {
  return names.flatMap((name, index) => {
    const earlier = names.slice(0, index).filter(({ value }) => value === name.value);
    const [first] = earlier;
    if (first === undefined) return [];
    if (earlier.length >= MAX_KEYS)
      return [
        {
          ...name,
          message: `is the same as ${earlier.map(({ path }) => formatPath(path)).join(' and ')}; a client has at most two keys`,
        },
      ];
    const [client, other] = [name.path.slice(0, -1), first.path.slice(0, -1)];
    return [
      ...checkEqual(root, [client, other], 'access', clientFields.access),
      ...checkEqual(root, [client, other], 'rate', clientFields.rate),
    ];
  });
}

/** Both entries of a client have the same value. An invalid value has another error already. */
function checkEqual<T>(
  root: ConfigNode,
  [client, other]: readonly [ConfigPath, ConfigPath],
  key: string,
  field: Field<T>,
): ConfigIssue[] {
  const path = [...client, key];
  const [one] = readField(root, path, field);
  const [first] = readField(root, [...other, key], field);
  if (one === undefined || first === undefined || isDeepStrictEqual(one.value, first.value)) return [];
  const message = `must be the same as ${formatPath(first.path)}, because both keys are of one client`;
  return [{ path, offset: offsetOf(root, path), message }];
}

/** `__proto__` is no key of a record: the claim would be left out, and every token would satisfy it. */
function checkClaims(root: ConfigNode): ConfigIssue[] {
  const claims = entryPathsAt(root, ['access', 'issuer', 'members-claim']);
  return claims
    .filter((path) => path.at(-1) === '__proto__')
    .map((path) => ({ path, offset: keyOffsetOf(root, path), message: 'is not the name of a claim' }));
}
