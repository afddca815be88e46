/** A query parameter of a described operation. */
export interface QueryParameter {
  readonly name: string;
  readonly description: unknown;
  readonly example: unknown;
  readonly schema: unknown;
  /** JSON pointer of its schema. */
  readonly schemaPointer: string;
  /** The value that a text in a query has: items of a list, numbers and booleans. */
  readonly parse: (text: string) => unknown;
}

/** Reads what tests need of a description in OpenAPI. */
export interface Description {
  readonly document: unknown;
  /** The value at a JSON pointer. */
  readonly at: (pointer: string) => unknown;
  readonly paths: readonly string[];
  readonly pathOf: (operationId: string) => string;
  readonly parametersOf: (path: string) => readonly QueryParameter[];
  readonly statusesOf: (path: string) => readonly string[];
  /** Name of the component that is a response. */
  readonly responseName: (path: string, status: string) => string;
  /** Whether an operation has a parameter, given as its component. */
  readonly usesParameter: (path: string, parameter: unknown) => boolean;
  readonly mediaTypesOf: (path: string, status: string) => readonly string[];
  readonly schemaPointer: (path: string, status: number, mediaType: string) => string;
  readonly requiredHeaders: (path: string, status: number) => readonly string[];
  /** JSON pointers of the schemas of the header fields of a response, by lower-case name. */
  readonly headerSchemas: (path: string, status: number) => ReadonlyMap<string, string>;
  /** The described path that the path of a request matches; undefined where there is none. */
  readonly findPath: (path: string) => string | undefined;
  /** References to components that do not exist. */
  readonly brokenReferences: () => readonly string[];
}

/** Returns the value at a path of names in parsed JSON; undefined where there is none. */
export function valueAt(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null ? Object.getOwnPropertyDescriptor(inner, name)?.value : undefined,
    value,
  );
}

/** Reads a parsed description. */
export function readDescription(document: unknown): Description {
  const at = (pointer: string): unknown => valueAt(document, ...pointer.split('/').slice(1).map(decodePointer));
  const resolve = (pointer: string): string => {
    const reference = valueAt(at(pointer), '$ref');
    return typeof reference === 'string' ? reference.slice(1) : pointer;
  };
  const operation = (path: string): string => `/paths/${encodePointer(path)}/get`;
  const response = (path: string, status: string): string => resolve(`${operation(path)}/responses/${status}`);
  const paths = Object.keys(Object(valueAt(document, 'paths')) as object);
  const extensionsOf = (path: string): string[] =>
    keysOf(at(`${operation(path)}/parameters`)).flatMap((index) => {
      const parameter = at(resolve(`${operation(path)}/parameters/${index}`));
      if (valueAt(parameter, 'name') !== 'extension') return [];
      return Object.values(Object(valueAt(parameter, 'schema', 'enum')) as object).map(String);
    });
  return {
    document,
    at,
    paths,
    pathOf: (id) => paths.find((path) => valueAt(at(operation(path)), 'operationId') === id) ?? '',
    parametersOf: (path) =>
      keysOf(at(`${operation(path)}/parameters`)).flatMap((index): QueryParameter[] => {
        const pointer = resolve(`${operation(path)}/parameters/${index}`);
        const { name, in: place, schema, description, example } = Object(at(pointer)) as Record<string, unknown>;
        if (place !== 'query' || name === 'own-properties') return [];
        const isList = valueAt(schema, 'type') === 'array';
        const parse = (text: string): unknown => (isList ? text.split(',') : parseScalar(text, typesOf(schema)));
        return [{ name: String(name), description, example, schema, schemaPointer: `${pointer}/schema`, parse }];
      }),
    statusesOf: (path) => keysOf(at(`${operation(path)}/responses`)).sort(),
    responseName: (path, status) => response(path, status).split('/').at(-1) ?? '',
    usesParameter: (path, parameter) =>
      keysOf(at(`${operation(path)}/parameters`)).some(
        (index) => at(resolve(`${operation(path)}/parameters/${index}`)) === parameter,
      ),
    mediaTypesOf: (path, status) => keysOf(at(`${response(path, status)}/content`)),
    schemaPointer: (path, status, mediaType) =>
      `${response(path, String(status))}/content/${encodePointer(mediaType)}/schema`,
    requiredHeaders: (path, status) =>
      keysOf(at(`${response(path, String(status))}/headers`)).filter(
        (name) => valueAt(at(resolve(`${response(path, String(status))}/headers/${name}`)), 'required') === true,
      ),
    headerSchemas: (path, status) => {
      const pointer = response(path, String(status));
      return new Map(
        keysOf(at(`${pointer}/headers`)).map((name) => [
          name.toLowerCase(),
          `${resolve(`${pointer}/headers/${name}`)}/schema`,
        ]),
      );
    },
    findPath: (path) => {
      // The path with the fewest templates is the most specific one.
      const templates = (one: string): number => one.split('{').length;
      const bySpecificity = [...paths].sort((one, other) => templates(one) - templates(other));
      const isMatch = (one: string): boolean => compilePath(one, extensionsOf(one)).test(path);
      return bySpecificity.find((one) => one.includes('{extension}') && isMatch(one)) ?? bySpecificity.find(isMatch);
    },
    brokenReferences: () =>
      [...JSON.stringify(document).matchAll(/"\$ref":"#([^"]+)"/g)]
        .map(([, pointer = '']) => pointer)
        .filter((pointer) => at(pointer) === undefined),
  };
}

function keysOf(value: unknown): string[] {
  return Object.keys(Object(value) as object);
}

/** The types of a schema, those of its alternatives included. */
function typesOf(schema: unknown): string[] {
  const alternatives = keysOf(valueAt(schema, 'anyOf')).map((at) => valueAt(schema, 'anyOf', at, 'type'));
  return [valueAt(schema, 'type'), ...alternatives].map(String);
}

/** Text stays text where the schema does not say that it is a number or a boolean. */
function parseScalar(text: string, types: readonly string[]): unknown {
  if (types.includes('integer') && /^-?\d+$/.test(text)) return Number(text);
  return types.includes('boolean') && /^(?:true|false)$/.test(text) ? text === 'true' : text;
}

function compilePath(path: string, extensions: readonly string[]): RegExp {
  const pattern = path
    .replaceAll('.', '\\.')
    .replace('{id}', '[^/]+')
    .replace('{extension}', `(?:${extensions.join('|')})`);
  return new RegExp(`^${pattern}$`);
}

function encodePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function decodePointer(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}
