import * as z from 'zod';

export type Schema = z.core.$ZodType;

export type Field<T> = z.ZodType<T>;

/** `expected` describes valid values in error messages. The text itself is never shown: it may be secret. */
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

export function patternField(expected: string, pattern: RegExp): Field<string> {
  return scalar(expected, (text) => (pattern.test(text) ? text : undefined));
}

/** In decimal digits. */
export function integer(min: number, max = Number.MAX_SAFE_INTEGER): Field<number> {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return scalar(`a whole number ${range}`, (text) => {
    const value = /^(?:0|[1-9]\d*)$/.test(text) ? Number(text) : NaN;
    return value >= min && value <= max ? value : undefined;
  });
}

export function word<const T extends string>(expected: string, words: readonly T[]): Field<T> {
  return scalar(expected, (text) => words.find((one) => one === text));
}

/** By default empty. `expected` describes items in error messages. */
export function list<S extends z.ZodType>(expected: string, item: S): z.ZodDefault<z.ZodArray<S>> {
  return z.array(item, { error: `must be a list of ${expected}` }).default([]);
}

/** If no key is required, the mapping may be omitted or empty. */
export function section<S extends z.ZodRawShape>(shape: S): z.ZodPreprocess<z.ZodObject<S>> {
  return z.preprocess((value) => value ?? {}, z.object(shape, { error: 'must be a mapping of keys to values' }));
}

/** The mapping may be written as the value of `key` alone. */
export function shortForm<S extends z.ZodRawShape>(key: keyof S & string, shape: S): z.ZodPreprocess<z.ZodObject<S>> {
  return z.preprocess(
    (value) => (typeof value === 'string' ? { [key]: value } : (value ?? {})),
    z.object(shape, { error: `must be the ${key} alone, or a mapping of keys to values` }),
  );
}

/** At most `max` items. One item in its short form may be written without a list. */
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

/** The operator chooses the keys. */
export function mapping<S extends z.ZodType>(value: S, expected: string): z.ZodPreprocess<z.ZodRecord<z.ZodString, S>> {
  return z.preprocess(
    (input) => input ?? {},
    z.record(z.string(), value, { error: `must be a mapping of ${expected}` }),
  );
}

export type Output<S extends Schema> = z.output<S>;

export interface SchemaIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Scalars are text. Unknown keys are ignored; `findUnknownKeys` reports them. */
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

/** Up to a text in place of a mapping or a list: a short form, without keys. */
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

/** For a key of the operator's choice in {@link childSchemas}. */
export const anyKey = '*';

/** Of a mapping, or of each mapping of a list; empty for any other part of the schema. */
export function childSchemas(schema: Schema): ReadonlyMap<string, Schema> {
  if (schema instanceof z.ZodObject) return new Map(Object.entries(schema.shape));
  if (schema instanceof z.ZodRecord) return new Map([[anyKey, schema.valueType]]);
  if (schema instanceof z.ZodArray) return childSchemas(schema.element);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return childSchemas(schema.unwrap());
  return schema instanceof z.ZodPipe ? childSchemas(schema.out) : new Map();
}
