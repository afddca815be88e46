import {
  TYPE_ANY,
  TYPE_NUMBER,
  TYPE_STRING,
  TreeInterpreter,
  compile,
  getRegisteredFunctions,
  isRegistered,
  register,
  registerFunction,
} from '@jmespath-community/jmespath';
import { recognizeCountry } from '../region/country-names.js';
import { parseDateByPattern } from './date-pattern.js';
import { getErrorMessage } from './get-error-message.js';
import { findNearestName } from './nearest-name.js';

export interface Expression {
  /** Evaluates over a JSON value. Throws where a function gets a value of another type than it takes. */
  evaluate(value: unknown): unknown;
}

type SyntaxTree = ReturnType<typeof compile>;
type JsonValue = Parameters<typeof TreeInterpreter.search>[1];

/** Of a text in a message, in characters. */
const MAX_SHOWN_LENGTH = 50;

// `date(text, pattern, …)` and `country(value)`: lists need them and the library lacks them (operation 2.8.16).
register(
  'date',
  ([text, ...patterns]) => {
    for (const pattern of patterns) {
      const date = typeof text === 'string' && typeof pattern === 'string' && parseDateByPattern(text, pattern);
      if (typeof date === 'string') return date;
    }
    throw new Error(`not a date of the pattern ${patterns.map((pattern) => JSON.stringify(pattern)).join(' or ')}`);
  },
  [{ types: [TYPE_STRING] }, { types: [TYPE_STRING], variadic: true }],
);

register(
  'country',
  ([value]) => {
    const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
    const code = recognizeCountry(text.trim());
    if (code === undefined) throw new Error(`not a country: ${JSON.stringify(text.slice(0, MAX_SHOWN_LENGTH))}`);
    return code;
  },
  [{ types: [TYPE_STRING, TYPE_NUMBER] }],
);

// The library's function, but for numbers beyond 2^53: it rounds these, so that two of them would have the same text.
registerFunction(
  'to_string',
  ([value]) => {
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new Error('a number beyond 2^53');
    return typeof value === 'string' ? value : JSON.stringify(value);
  },
  [{ types: [TYPE_ANY] }],
  { override: true },
);

/** Community edition. The library finds an unknown function only when the expression is evaluated. */
export function compileExpression(text: string): Expression | { readonly problem: string } {
  let tree: SyntaxTree;
  try {
    tree = compile(text);
  } catch (error) {
    return { problem: getErrorMessage(error) };
  }
  if (hasAssignment(tree)) return { problem: 'a single = compares nothing; write ==' };
  const unknown = findFunctionNames(tree).find((name) => !isRegistered(name));
  if (unknown !== undefined) return { problem: describeUnknownFunction(unknown) };
  return { evaluate: (value) => TreeInterpreter.search(tree, toJsonValue(value)) };
}

function describeUnknownFunction(name: string): string {
  const known = getRegisteredFunctions();
  const nearest = findNearestName(name, known);
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}()?`;
  return `unknown function ${name}()${hint} (known: ${known.toSorted().join(', ')})`;
}

/** The library only reads the value. Its type for JSON has no name for a value that was parsed already. */
function toJsonValue(value: unknown): JsonValue {
  if (isJsonValue(value)) return value;
  throw new TypeError('not a JSON value');
}

/** Checks the outermost value only: what is inside came from the same JSON text. */
function isJsonValue(value: unknown): value is JsonValue {
  return value === null || ['string', 'number', 'boolean', 'object'].includes(typeof value);
}

/** Path that an expression reads, such as `contact.mail`. */
export interface Operand extends Expression {
  readonly path: string;
}

/**
 * The paths that a valid expression reads, such as `status` of `status != 'retired'`, each once. A path inside a filter
 * of a list is left out: it begins at an item of the list.
 */
export function compileOperands(text: string): readonly Operand[] {
  const operands = findPaths(compile(text)).map((tree): Operand => ({
    path: formatTreePath(tree),
    evaluate: (value) => TreeInterpreter.search(tree, toJsonValue(value)),
  }));
  return [...new Map(operands.map((operand) => [operand.path, operand])).values()];
}

function formatTreePath(node: SyntaxTree): string {
  if (node.type === 'Field') return node.name;
  return node.type === 'Subexpression' ? `${formatTreePath(node.left)}.${formatTreePath(node.right)}` : '';
}

/** The outermost paths of a syntax tree. */
function findPaths(node: unknown): readonly SyntaxTree[] {
  if (!isNode(node)) return Array.isArray(node) ? node.flatMap(findPaths) : [];
  if (isPath(node)) return [node];
  // The right side of these is evaluated for the result of the left side.
  if ('left' in node && RIGHT_OF_LEFT.has(node.type)) return findPaths(node.left);
  return Object.values(node).flatMap(findPaths);
}

/** Names of properties of the value itself that a valid expression mentions, as far as the syntax shows. */
export function listTopLevelNames(text: string): readonly string[] {
  return findTopLevelNames(compile(text));
}

function findTopLevelNames(node: unknown): readonly string[] {
  if (!isNode(node)) return Array.isArray(node) ? node.flatMap(findTopLevelNames) : [];
  if (node.type === 'Field') return [node.name];
  if (!('left' in node && 'right' in node && RIGHT_OF_LEFT.has(node.type)))
    return Object.values(node).flatMap(findTopLevelNames);
  // Of `@` and `$`, the right side begins at the value itself.
  const isWhole = isNode(node.left) && ['Current', 'Root'].includes(node.left.type);
  return findTopLevelNames(isWhole ? node.right : node.left);
}

/** Nodes whose other parts are evaluated for what `left` gives. */
const RIGHT_OF_LEFT: ReadonlySet<string> = new Set([
  ...['Pipe', 'Subexpression', 'IndexExpression', 'Projection', 'ValueProjection', 'FilterProjection'],
]);

function isNode(node: unknown): node is SyntaxTree {
  return typeof node === 'object' && node !== null && 'type' in node;
}

function isPath(node: SyntaxTree): boolean {
  return node.type === 'Field' || (node.type === 'Subexpression' && isPath(node.left) && isPath(node.right));
}

/** An assignment outside of `let … in`, which the library reads as an object. */
function hasAssignment(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  if ('type' in node && node.type === 'Binding') return true;
  const parts = Object.entries(node).filter(([name]) => name !== 'bindings');
  return parts.some(([, part]) => hasAssignment(part));
}

function findFunctionNames(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  const called = 'type' in node && node.type === 'Function' && 'name' in node ? [String(node.name)] : [];
  return [...called, ...Object.values(node).flatMap(findFunctionNames)];
}

/** In JMESPath: anything but null, false, and the empty text, list and object. */
export function isTruthy(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== false && value !== '';
}
