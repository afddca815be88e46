import { childOf, toKebabCase } from './schema/setting-types.js';
import {
  type ConfigIssue,
  type ConfigNode,
  type ConfigPath,
  formatPath,
  keyOffsetOf,
  nodeAt,
  offsetOf,
} from './yaml/config-node.js';

type Inner<T> = NonNullable<T>;

/** A setting of the file, with the value that the schema read: for rules, which hold whatever other errors there are. */
export class Setting<T> {
  constructor(
    private readonly root: ConfigNode,
    readonly path: ConfigPath,
    private readonly read: unknown,
  ) {}

  get node(): ConfigNode | undefined {
    return nodeAt(this.root, this.path);
  }

  /** Also where the value is empty or invalid. */
  get isPresent(): boolean {
    return this.node !== undefined;
  }

  /** As in the file; undefined for a mapping, a list, and an empty value. */
  get text(): string | undefined {
    return this.node?.kind === 'scalar' ? (this.node.value ?? undefined) : undefined;
  }

  /** With defaults; undefined where it is absent without a default, or invalid. Parts of a mapping may be absent, too. */
  get value(): T | undefined {
    // What the schema read has its type, and invalid values were removed.
    return this.read as T | undefined;
  }

  /** Itself, if it has a value. */
  ifValid(): readonly Setting<T>[] {
    return this.value === undefined || this.value === null ? [] : [this];
  }

  /** At a value with a problem. */
  check(findProblem: (value: Inner<T>) => string | undefined): ConfigIssue[] {
    return this.value === undefined || this.value === null ? [] : this.issue(findProblem(this.value));
  }

  /** -1 for a default, which is not in the file. */
  get offset(): number {
    return this.node?.offset ?? -1;
  }

  get key(): string {
    return String(this.path.at(-1));
  }

  /** In a short form, the text itself is the value of one key. */
  at<K extends keyof Inner<T> & string>(name: K): Setting<Inner<T>[K]> {
    const value = childOf(this.read, name);
    const isShortForm = value !== undefined && this.text !== undefined;
    return new Setting(this.root, isShortForm ? this.path : [...this.path, toKebabCase(name)], value);
  }

  /** One item in its short form is a list, too. */
  items(): readonly Setting<Inner<T> extends readonly (infer Item)[] ? Item : never>[] {
    const { node } = this;
    if (node?.kind === 'list') return node.items.map((_, at) => this.child(at));
    const isShortForm = node?.kind === 'scalar' && Array.isArray(this.read);
    return isShortForm ? [new Setting(this.root, this.path, childOf(this.read, 0))] : [];
  }

  private child<C>(key: string | number): Setting<C> {
    return new Setting(this.root, [...this.path, key], childOf(this.read, key));
  }

  /** Of a mapping whose keys the operator chooses. */
  entries(): readonly Setting<Inner<T>[keyof Inner<T>]>[] {
    return this.node?.kind === 'map' ? Array.from(this.node.entries.keys(), (key) => this.child(key)) : [];
  }

  /** Those of the keys, as in the file, that the mapping has. */
  present(...keys: readonly string[]): readonly Setting<unknown>[] {
    return keys.map((key) => this.child(key)).filter(({ isPresent }) => isPresent);
  }

  /** At the keys, as in the file, that the mapping has. */
  refuse(keys: readonly string[], message: string): ConfigIssue[] {
    return this.present(...keys).flatMap((setting) => setting.keyIssue(message));
  }

  /** At the value; none without a message. */
  issue(message: string | undefined): ConfigIssue[] {
    return message === undefined ? [] : [{ path: this.path, offset: offsetOf(this.root, this.path), message }];
  }

  /** At the key; none without a message. */
  keyIssue(message: string | undefined): ConfigIssue[] {
    return message === undefined ? [] : [{ path: this.path, offset: keyOffsetOf(this.root, this.path), message }];
  }

  /** The value in the file may be secret, so only a default is shown. */
  describe(): string {
    return this.isPresent ? formatPath(this.path) : `${formatPath(this.path)} (by default ${String(this.read)})`;
  }
}

/** Those that are valid. */
export function valuesOf<T>(settings: readonly Setting<T>[]): T[] {
  return settings.flatMap(({ value }) => (value === undefined ? [] : [value]));
}

/** `toKey`: what must differ. */
export function findDuplicates<T>(
  settings: readonly Setting<T>[],
  toKey: (value: T) => unknown = (value) => value,
): ConfigIssue[] {
  const first = new Map<unknown, Setting<T>>();
  return settings
    .toSorted((a, b) => a.offset - b.offset)
    .flatMap((setting) => {
      if (setting.value === undefined) return [];
      const key = toKey(setting.value);
      const earlier = first.get(key);
      if (earlier !== undefined) return setting.issue(`is the same as ${earlier.describe()}`);
      first.set(key, setting);
      return [];
    });
}
