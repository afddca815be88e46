/** Reads a part of a message from another process. Throws {@link InvalidMessage} where it has another form. */
export type ValueParser<T> = (value: unknown) => T;

/** A message that does not have the form that this version of the program sends. */
export class InvalidMessage extends Error {
  constructor(expected: string) {
    super(`invalid message: expected ${expected}`);
    this.name = 'InvalidMessage';
  }
}

/** Any string, also an empty one. */
export const parseText: ValueParser<string> = (value) => {
  if (typeof value !== 'string') throw new InvalidMessage('a text');
  return value;
};

/** Any number. */
export const parseNumber: ValueParser<number> = (value) => {
  if (typeof value !== 'number') throw new InvalidMessage('a number');
  return value;
};

/** `true` or `false`. */
export const parseBoolean: ValueParser<boolean> = (value) => {
  if (typeof value !== 'boolean') throw new InvalidMessage('a boolean');
  return value;
};

/** One of several words. */
export function oneOf<const T extends string>(words: readonly T[]): ValueParser<T> {
  return (value) => {
    const found = words.find((word) => word === value);
    if (found === undefined) throw new InvalidMessage(words.join(' or '));
    return found;
  };
}

/** A key of a table that has each word of its type, so that the compiler notices one that is missing. */
export function keyOf<T extends string>(table: Readonly<Record<T, unknown>>): ValueParser<T> {
  const isKey = (word: string): word is T => Object.hasOwn(table, word);
  return oneOf(Object.keys(table).filter(isKey));
}

/** An array whose items all have the form of `item`. */
export function listOf<T>(item: ValueParser<T>): ValueParser<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value)) throw new InvalidMessage('a list');
    return value.map((one: unknown) => item(one));
  };
}

/** An object whose keys are not known, or a map. */
export function mapOf<T>(item: ValueParser<T>): ValueParser<ReadonlyMap<string, T>> {
  return (value) => {
    const entries: readonly (readonly [unknown, unknown])[] =
      value instanceof Map ? [...value] : [...parseFields(value)];
    return new Map(entries.map(([key, one]) => [parseText(key), item(one)]));
  };
}

/** Properties of an object, each read by its name. */
export interface FieldReader {
  /** Reads a property that must be present. */
  get<T>(name: string, parse: ValueParser<T>): T;
  /** Reads properties that may be absent: the result has those that are present. */
  optional<const Name extends string, T>(name: Name, parse: ValueParser<T>): Readonly<Partial<Record<Name, T>>>;
}

/** An object, from whose properties `create` builds the result. All other properties are ignored. */
export function objectOf<T>(create: (fields: FieldReader) => T): ValueParser<T> {
  return (value) => {
    const fields = parseFields(value);
    return create({
      get: (name, parse) => parse(fields.get(name)),
      optional: (name, parse) => toPartial(name, fields.get(name), parse),
    });
  };
}

function toPartial<const Name extends string, T>(
  name: Name,
  value: unknown,
  parse: ValueParser<T>,
): Readonly<Partial<Record<Name, T>>> {
  const result: Partial<Record<Name, T>> = {};
  if (value !== undefined) result[name] = parse(value);
  return result;
}

function parseFields(value: unknown): ReadonlyMap<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new InvalidMessage('an object');
  return new Map<string, unknown>(Object.entries(value));
}
