/** Every method throws an error that names a property with another type. */
export class HeadReader {
  private readonly properties: ReadonlyMap<string, unknown>;

  constructor(json: unknown) {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new Error('not a JSON object');
    this.properties = new Map(Object.entries(json));
  }

  value(name: string): unknown {
    return this.properties.get(name);
  }

  optional<T>(name: string, read: () => T): T | undefined {
    return this.value(name) === undefined ? undefined : read();
  }

  text(name: string): string {
    const value = this.value(name);
    return typeof value === 'string' ? value : this.fail(name);
  }

  number(name: string): number {
    const value = this.value(name);
    if (value === 'Infinity') return Infinity;
    return typeof value === 'number' ? value : this.fail(name);
  }

  list(name: string): readonly unknown[] {
    const value = this.value(name);
    return Array.isArray(value) ? value : this.fail(name);
  }

  pairs(name: string): readonly (readonly [string, unknown])[] {
    return this.list(name).map((pair) => (Array.isArray(pair) ? [String(pair[0]), pair[1]] : this.fail(name)));
  }

  child(name: string): HeadReader {
    return new HeadReader(this.value(name));
  }

  children(name: string): readonly HeadReader[] {
    return this.list(name).map((item) => new HeadReader(item));
  }

  texts(name: string): Readonly<Record<string, string>> {
    const entries = [...this.child(name).properties];
    return Object.fromEntries(
      entries.map(([key, value]) => [key, typeof value === 'string' ? value : this.fail(name)]),
    );
  }

  private fail(name: string): never {
    throw new Error(`invalid property ${name}`);
  }
}
