import { type ConfigIssue, formatPath } from './yaml/config-error.js';
import { type ConfigNode, type ConfigPath, nodeAt, toPlainValue } from './yaml/config-node.js';
import { type Field } from './schema/schema-builders.js';

export interface LocatedValue<T> {
  readonly path: ConfigPath;
  /** In UTF-16 code units; -1 for a default, which is not in the file. */
  readonly offset: number;
  readonly value: T;
}

export function findDuplicates<T>(found: readonly LocatedValue<T>[]): ConfigIssue[] {
  const first = new Map<T, LocatedValue<T>>();
  return [...found]
    .sort((a, b) => a.offset - b.offset)
    .flatMap((item) => {
      const earlier = first.get(item.value);
      if (earlier !== undefined) return [{ ...item, message: `is the same as ${describeLocation(earlier)}` }];
      first.set(item.value, item);
      return [];
    });
}

/** The value in the file may be secret, so only a default is shown. */
export function describeLocation({ path, offset: at, value }: LocatedValue<unknown>): string {
  return at < 0 ? `${formatPath(path)} (by default ${String(value)})` : formatPath(path);
}

export function childPaths(paths: readonly ConfigPath[], key: string): ConfigPath[] {
  return paths.map((path) => [...path, key]);
}

export function readFields<T>(root: ConfigNode, paths: readonly ConfigPath[], field: Field<T>): LocatedValue<T>[] {
  return paths.flatMap((path) => readField(root, path, field));
}

/** Empty if the value is missing without a default, or is invalid, which the schema reports. */
export function readField<T>(root: ConfigNode, path: ConfigPath, field: Field<T>): LocatedValue<T>[] {
  const node = nodeAt(root, path);
  const parsed = field.safeParse(toPlainValue(node));
  return parsed.success ? [{ path, offset: node?.offset ?? -1, value: parsed.data }] : [];
}
