import * as z from 'zod';
import type { DocumentNode } from '../../model/document-node.js';
import type { Scalar } from '../../model/property-value.js';

export type Schema = z.core.$ZodType;
export type Field<T> = z.ZodType<T>;
export type Output<S extends Schema> = z.output<S>;

/** In place of a value that is secret, or may be. */
export const MASK = '(hidden)';

/** How the value of a setting is shown to the operator, in the form of the file. Absent: as it is. */
const shownForms = z.registry<{ readonly show: (value: z.core.$output) => string }>();

/**
 * What a setting decides: which records a source has and how they are read, beyond that what answers contain, or beyond
 * that when and how a list is served. Absent: none of these.
 */
export type Effect = 'records' | 'answers' | 'serving';

const effects = z.registry<{ readonly effect: Effect }>();

/** A setting of a section, with what it is for. */
export function setting<S extends z.ZodType>(schema: S, description: string, effect?: Effect): S {
  const described = schema.describe(description);
  if (effect !== undefined) effects.add(described, { effect });
  return described;
}

export function describeSchema(schema: Schema): string | undefined {
  return z.globalRegistry.get(schema)?.description;
}

interface ScalarOptions<T> {
  readonly show?: (value: T) => string;
  /** Of a value without variables, for editors. A pattern applies to text only. */
  readonly json?: { readonly type?: string | readonly string[]; readonly pattern?: string } & z.GlobalMeta;
}

/** `expected` describes valid values in error messages. The text itself is never shown: it may be secret. */
export function scalar<T>(
  expected: string,
  read: (text: string) => T | undefined,
  { show, json = {} }: ScalarOptions<T> = {},
): Field<T> {
  const message = `must be ${expected}`;
  const text = z.string({ error: (issue) => (issue.input === undefined ? `is required: ${expected}` : message) });
  const field = text.transform((raw, context) => {
    const value = read(raw);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
  // Not all validators know Unicode properties.
  const portable = json.pattern?.replaceAll('\\p{Cc}', '\\x00-\\x1f\\x7f-\\x9f');
  const pattern = portable === undefined ? {} : { pattern: `\\$\\{|(?:${portable})` };
  z.globalRegistry.add(field, { type: ['string', 'number', 'boolean'], ...json, ...pattern });
  if (show !== undefined) shownForms.add(field, { show });
  return field;
}

/** No output shows the value; `show`: what is shown in place of it. */
export function secret<T>(field: Field<T>, show: (value: T) => string = () => MASK): Field<T> {
  const hidden = field.meta({ ...field.meta(), writeOnly: true });
  shownForms.add(hidden, { show });
  return hidden;
}

export function text(expected: string, pattern: RegExp): Field<string> {
  return scalar(expected, (raw) => (pattern.test(raw) ? raw : undefined), { json: { pattern: pattern.source } });
}

/** In decimal digits. */
export function integer(min: number, max = Number.MAX_SAFE_INTEGER): Field<number> {
  const isOpen = max === Number.MAX_SAFE_INTEGER;
  const range = isOpen ? `of at least ${min}` : `from ${min} to ${max}`;
  const read = (raw: string): number | undefined => {
    const value = /^(?:0|[1-9]\d*)$/.test(raw) ? Number(raw) : NaN;
    return value >= min && value <= max ? value : undefined;
  };
  return scalar(`a whole number ${range}`, read, {
    json: { type: ['integer', 'string'], pattern: '^\\d+$', minimum: min, ...(!isOpen && { maximum: max }) },
  });
}

export const flag = scalar('true or false', (raw) => [true, false].find((value) => String(value) === raw), {
  json: { type: ['boolean', 'string'], pattern: '^(?:true|false)$' },
});

export function word<const T extends string>(expected: string, words: readonly T[]): Field<T> {
  return scalar(expected, (raw) => words.find((one) => one === raw), {
    json: { type: 'string', anyOf: [{ enum: words }, { pattern: '\\$\\{' }] },
  });
}

/** By default empty. `expected` describes items in error messages. */
export function list<S extends z.ZodType>(expected: string, item: S): z.ZodDefault<z.ZodArray<S>> {
  return z.array(item, { error: `must be a list of ${expected}` }).default([]);
}

/** A name in the configuration file. */
export function toKebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `types`: what the file may have, in JSON Schema. */
function readAs<S extends z.ZodType>(
  read: (value: unknown) => unknown,
  schema: S,
  types: readonly string[],
): z.ZodPreprocess<S> {
  const preprocessed = z.preprocess(read, schema);
  z.globalRegistry.add(preprocessed, { type: types });
  return preprocessed;
}

type Section<S extends z.ZodRawShape> = z.ZodPreprocess<z.ZodObject<S>>;

/**
 * A mapping whose keys are the names of `shape` in kebab-case. If no key is required, it may be omitted or empty.
 * `short`: it may be written as the value of this key alone. Unknown keys are ignored; `findUnknownKeys` reports them.
 */
export function section<S extends z.ZodRawShape>(shape: S, short?: keyof S & string): Section<S> {
  const names = Object.keys(shape).map((name) => [toKebabCase(name), name] as const);
  const alone = short === undefined ? 'must be a' : `must be the ${short} alone, or a`;
  return readAs(
    (value) => {
      if (short !== undefined && typeof value === 'string') return { [short]: value };
      if (!isMapping(value)) return value ?? {};
      return Object.fromEntries(names.flatMap(([key, name]) => (key in value ? [[name, value[key]]] : [])));
    },
    z.object(shape, { error: `${alone} mapping of keys to values` }),
    ['object', short === undefined ? 'null' : 'string'],
  );
}

/** At most `max` items. One item in its short form may be written without a list. */
export function oneOrMore<S extends z.ZodType>(
  item: S,
  { expected, max }: { readonly expected: string; readonly max: number },
): z.ZodPreprocess<z.ZodArray<S>> {
  const items = z.array(item, { error: `must be ${expected}` });
  return readAs(
    (value) => (typeof value === 'string' ? [value] : value),
    items
      .min(1, { error: `must be ${expected}, with at least one` })
      .max(max, { error: `must be a list of at most ${max}` }),
    ['array', 'string'],
  );
}

/** The operator chooses the keys. */
export function mapping<S extends z.ZodType>(value: S, expected: string): z.ZodPreprocess<z.ZodRecord<z.ZodString, S>> {
  const record = z.record(z.string(), value, { error: `must be a mapping of ${expected}` });
  return readAs((input) => input ?? {}, record, ['object', 'null']);
}

type Inherited<S extends z.ZodRawShape> = {
  readonly [Name in keyof S]: S[Name] extends z.ZodDefault<infer Inner extends z.ZodType>
    ? z.ZodExactOptional<Inner>
    : never;
};

/** The same settings without their defaults, which come from elsewhere. */
export function inherited<S extends Readonly<Record<string, z.ZodDefault<z.ZodType>>>>(shape: S): Inherited<S> {
  const fields = Object.entries(shape).map(([name, field]) => {
    return [name, setting(field.unwrap().exactOptional(), describeSchema(field) ?? '', effects.get(field)?.effect)];
  });
  // The type says of each setting what the function does with it.
  return Object.fromEntries(fields) as Inherited<S>;
}

/** For a key of the operator's choice in {@link childSchemas}. */
export const anyKey = '*';

/** By their keys in the file; of a mapping, or of each mapping of a list; empty for any other part of the schema. */
export function childSchemas(schema: Schema): ReadonlyMap<string, Schema> {
  return new Map(Array.from(namedSchemas(schema), ([name, child]) => [toKebabCase(name), child]));
}

/** As {@link childSchemas}, by their names in the program. */
function namedSchemas(schema: Schema): ReadonlyMap<string, Schema> {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject) return new Map(Object.entries(inner.shape));
  if (inner instanceof z.ZodRecord) return new Map([[anyKey, inner.valueType]]);
  return inner instanceof z.ZodArray ? namedSchemas(inner.element) : new Map();
}

/**
 * What the operator may see of a value, in the form of the file. A map is shown as it is: it was made to be shown. What the
 * schema does not have is left out.
 */
export function showValue(schema: Schema, value: unknown): DocumentNode | undefined {
  const inner = unwrap(schema);
  const show = shownForms.get(inner)?.show;
  if (value === undefined || value === null) return undefined;
  if (isMap(value)) return value;
  if (show !== undefined) return show(value);
  if (isScalar(value)) return value;
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((item: unknown) => showValue(inner.element, item) ?? []);
  const children = namedSchemas(inner);
  const own = children.get(anyKey);
  const named = own === undefined ? [...children] : Object.keys(value).map((key) => [key, own] as const);
  return new Map(
    named.flatMap(([name, child]) => {
      const shown = showValue(child, childOf(value, name));
      return shown === undefined ? [] : [[own === undefined ? toKebabCase(name) : name, shown] as const];
    }),
  );
}

function isMap(value: unknown): value is ReadonlyMap<string, DocumentNode> {
  return value instanceof Map;
}

function isScalar(value: unknown): value is Scalar {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** The values that decide one of the effects, in the order of the schema. */
export function listDeciding(schema: Schema, value: unknown, named: readonly Effect[]): unknown[] {
  return Array.from(namedSchemas(schema)).flatMap(([name, child]) => {
    const effect = effects.get(child)?.effect;
    const inner = childOf(value, name);
    return effect !== undefined && named.includes(effect) ? [inner] : listDeciding(child, inner, named);
  });
}

/** Without default, and without what is done before validation. */
function unwrap(schema: Schema): Schema {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodExactOptional || schema instanceof z.ZodDefault)
    return unwrap(schema.unwrap());
  return schema instanceof z.ZodPreprocess ? unwrap(schema.out) : schema;
}

/** `partial` is what was read: without defaults in place of invalid values, which are absent. */
interface Validation<T> {
  readonly partial: unknown;
  readonly valid?: T;
  readonly issues: readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
}

/** Scalars of `plain` are text. */
export function validate<S extends z.ZodType>(schema: S, plain: unknown): Validation<Output<S>> {
  let partial: unknown;
  const keep = (value: unknown): true => {
    partial = value;
    return true;
  };
  const { data: valid, error } = schema.refine(keep, { when: () => true }).safeParse(plain);
  if (error === undefined) return { partial, valid, issues: [] };
  for (const { code, path } of error.issues) removeInvalid(partial, path, code === 'invalid_type');
  const issues = error.issues.map(({ path, message }) => ({ path: toFilePath(schema, path, plain), message }));
  return { partial, issues };
}

function removeInvalid(value: unknown, [step, ...rest]: readonly PropertyKey[], isOtherType: boolean): void {
  if (step === undefined || typeof value !== 'object' || value === null) return;
  const inner = childOf(value, step);
  if (rest.length > 0) removeInvalid(inner, rest, isOtherType);
  else if (isOtherType || inner === z.NEVER) Reflect.set(value, step, undefined);
}

/** With keys as in the file, up to a text in place of a mapping or a list: a short form, without keys. */
function toFilePath(schema: Schema, [step, ...rest]: readonly PropertyKey[], plain: unknown): (string | number)[] {
  if (step === undefined || typeof plain === 'string') return [];
  const inner = unwrap(schema);
  const name = typeof step === 'number' ? step : String(step);
  const key = typeof name === 'string' && inner instanceof z.ZodObject ? toKebabCase(name) : name;
  const children = namedSchemas(inner);
  const child = inner instanceof z.ZodArray ? inner.element : (children.get(String(step)) ?? children.get(anyKey));
  return [key, ...(child === undefined ? [] : toFilePath(child, rest, childOf(plain, key)))];
}

/** Of an own property or item; undefined for any other value. */
export function childOf(value: unknown, step: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, step)?.value : undefined;
}

/**
 * The schema for editors, in draft 7, which they all read. Rules between settings are not part of it. A text with a variable
 * is valid everywhere, because its value is not known.
 */
export function toJsonSchema(schema: Schema): object {
  return z.toJSONSchema(schema, {
    ...{ io: 'input', target: 'draft-07' },
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema instanceof z.ZodObject) {
        const { properties = {}, required = [] } = jsonSchema;
        const children = childSchemas(zodSchema);
        // A section may be left out if what is in it may be.
        jsonSchema.required = required.map(toKebabCase).filter((key) => {
          const child = children.get(key);
          return child !== undefined && !z.safeParse(child, undefined).success;
        });
        jsonSchema.properties = Object.fromEntries(
          Object.entries(properties).map(([name, property]) => [toKebabCase(name), property]),
        );
        jsonSchema.additionalProperties = false;
      }
      if (zodSchema instanceof z.ZodDefault)
        jsonSchema.default = showValue(zodSchema, z.safeParse(zodSchema, undefined).data);
    },
  });
}
