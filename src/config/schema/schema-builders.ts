import * as z from 'zod';

/** A part of the schema. */
export type Schema = z.core.$ZodType;

/** Schema that converts the text of one setting. */
export type Field<T> = z.ZodType<T>;

/**
 * Creates the schema of a scalar setting. `expected` describes valid values in error messages. The text itself is never
 * shown: it may be secret.
 */
export function scalar<T>(expected: string, read: (text: string) => T | undefined): Field<T> {
  const message = `must be ${expected}`;
  const text = z.string({ error: (issue) => (issue.input === undefined ? `is required: ${expected}` : message) });
  return text.transform((raw, context) => {
    const value = read(raw);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
}

/** A text that matches a pattern. */
export function patternField(expected: string, pattern: RegExp): Field<string> {
  return scalar(expected, (text) => (pattern.test(text) ? text : undefined));
}

/** A whole number, written in decimal digits. */
export function integer(min: number, max = Number.MAX_SAFE_INTEGER): Field<number> {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return scalar(`a whole number ${range}`, (text) => {
    const value = /^(?:0|[1-9]\d*)$/.test(text) ? Number(text) : NaN;
    return value >= min && value <= max ? value : undefined;
  });
}

/** One of several words. */
export function word<const T extends string>(expected: string, words: readonly T[]): Field<T> {
  return scalar(expected, (text) => words.find((one) => one === text));
}

/** A list, by default empty. `expected` describes its items in error messages. */
export function list<S extends z.ZodType>(expected: string, item: S): z.ZodDefault<z.ZodArray<S>> {
  return z.array(item, { error: `must be a list of ${expected}` }).default([]);
}

/** A mapping of known keys. If none of them is required, it may be omitted or empty. */
export function section<S extends z.ZodRawShape>(shape: S): z.ZodPreprocess<z.ZodObject<S>> {
  return z.preprocess((value) => value ?? {}, z.object(shape, { error: 'must be a mapping of keys to values' }));
}

/** A mapping of known keys that may be written as the value of the one key `key` alone. */
export function shortForm<S extends z.ZodRawShape>(key: keyof S & string, shape: S): z.ZodPreprocess<z.ZodObject<S>> {
  return z.preprocess(
    (value) => (typeof value === 'string' ? { [key]: value } : (value ?? {})),
    z.object(shape, { error: `must be the ${key} alone, or a mapping of keys to values` }),
  );
}

/** A list of at least one and at most `max` items. One item in its short form may be written without a list. */
export function oneOrMore<S extends z.ZodType>(
  item: S,
  { expected, max }: { readonly expected: string; readonly max: number },
): z.ZodPreprocess<z.ZodArray<S>> {
  return z.preprocess(
    (value) => (typeof value === 'string' ? [value] : value),
    z
      .array(item, { error: `must be ${expected}` })
      .min(1, { error: `must be ${expected}, with at least one` })
      .max(max, { error: `must be a list of at most ${max}` }),
  );
}

/** A mapping whose keys the operator chooses. */
export function mapping<S extends z.ZodType>(value: S, expected: string): z.ZodPreprocess<z.ZodRecord<z.ZodString, S>> {
  return z.preprocess(
    (input) => input ?? {},
    z.record(z.string(), value, { error: `must be a mapping of ${expected}` }),
  );
}

/** The converted values of a valid part of a configuration, by their YAML keys. */
export type Output<S extends Schema> = z.output<S>;

/** A schema violation at a path of keys and indices. */
export interface SchemaIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * Validates plain values, whose scalars are text, against a schema. Unknown keys are ignored; `findUnknownKeys` reports
 * them.
 */
export function validate<S extends z.ZodType>(
  schema: S,
  plain: unknown,
): { readonly document: Output<S> } | { readonly issues: readonly SchemaIssue[] } {
  const parsed = schema.safeParse(plain);
  if (parsed.success) return { document: parsed.data };
  return {
    issues: parsed.error.issues.map(({ path, message }) => ({ path: endAtText(path.map(toPathStep), plain), message })),
  };
}

/** The part of a path that exists in the values: a text in place of a mapping or a list is a short form, without keys. */
function endAtText(path: readonly (string | number)[], plain: unknown): readonly (string | number)[] {
  let value = plain;
  for (const [index, step] of path.entries()) {
    if (typeof value === 'string') return path.slice(0, index);
    value = isContainer(value) ? value[step] : undefined;
  }
  return path;
}

function isContainer(value: unknown): value is Readonly<Record<string | number, unknown>> {
  return typeof value === 'object' && value !== null;
}

function toPathStep(key: PropertyKey): string | number {
  return typeof key === 'number' ? key : String(key);
}

/** Stands for a key of the operator's choice in {@link childSchemas}. */
export const anyKey = '*';

/** Schemas of the known keys of a mapping, or of each mapping of a list; empty for any other part of the schema. */
export function childSchemas(schema: Schema): ReadonlyMap<string, Schema> {
  if (schema instanceof z.ZodObject) return new Map(Object.entries(schema.shape));
  if (schema instanceof z.ZodRecord) return new Map([[anyKey, schema.valueType]]);
  if (schema instanceof z.ZodArray) return childSchemas(schema.element);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return childSchemas(schema.unwrap());
  return schema instanceof z.ZodPipe ? childSchemas(schema.out) : new Map();
}
