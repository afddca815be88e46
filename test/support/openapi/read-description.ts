/** A query parameter of a described operation. */
export interface QueryParameter {
  readonly name: string;
  readonly schema: unknown;
  /** JSON pointer of its schema. */
  readonly schemaPointer: string;
  /** The value that a text in a query has: items of a list, numbers and booleans. */
  readonly parse: (text: string) => unknown;
}

/** Reads what tests need of a description in OpenAPI. */
export interface Description {
  readonly document: unknown;
  readonly paths: readonly string[];
  readonly pathOf: (operationId: string) => string;
  readonly parametersOf: (path: string) => readonly QueryParameter[];
  readonly statusesOf: (path: string) => readonly string[];
  readonly mediaTypesOf: (path: string, status: string) => readonly string[];
  readonly schemaPointer: (path: string, status: number, mediaType: string) => string;
  readonly requiredHeaders: (path: string, status: number) => readonly string[];
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
  return {
    document,
    paths,
    pathOf: (id) => paths.find((path) => valueAt(at(operation(path)), 'operationId') === id) ?? '',
    parametersOf: (path) =>
      keysOf(at(`${operation(path)}/parameters`)).flatMap((index): QueryParameter[] => {
        const pointer = resolve(`${operation(path)}/parameters/${index}`);
        const { name, in: place, schema } = Object(at(pointer)) as Record<string, unknown>;
        if (place !== 'query' || name === 'own-properties') return [];
        const isList = valueAt(schema, 'type') === 'array';
        const parse = (text: string): unknown =>
          isList ? text.split(',') : parseScalar(text, valueAt(schema, 'type'));
        return [{ name: String(name), schema, schemaPointer: `${pointer}/schema`, parse }];
      }),
    statusesOf: (path) => keysOf(at(`${operation(path)}/responses`)).sort(),
    mediaTypesOf: (path, status) => keysOf(at(`${response(path, status)}/content`)),
    schemaPointer: (path, status, mediaType) =>
      `${response(path, String(status))}/content/${encodePointer(mediaType)}/schema`,
    requiredHeaders: (path, status) =>
      keysOf(at(`${response(path, String(status))}/headers`)).filter(
        (name) => valueAt(at(resolve(`${response(path, String(status))}/headers/${name}`)), 'required') === true,
      ),
    brokenReferences: () =>
      [...JSON.stringify(document).matchAll(/"\$ref":"#([^"]+)"/g)]
        .map(([, pointer = '']) => pointer)
        .filter((pointer) => at(pointer) === undefined),
  };
}

function keysOf(value: unknown): string[] {
  return Object.keys(Object(value) as object);
}

/** Text stays text where the schema does not say that it is a number or a boolean. */
function parseScalar(text: string, type: unknown): unknown {
  const types = [type].flat();
  if (types.includes('integer') && /^-?\d+$/.test(text)) return Number(text);
  return types.includes('boolean') && /^(?:true|false)$/.test(text) ? text === 'true' : text;
}

function encodePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function decodePointer(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}
