import { TYPE_STRING, TreeInterpreter, compile, isRegistered, register } from '@jmespath-community/jmespath';
import { parseDateByPattern } from './date-pattern.js';

/** A compiled JMESPath expression. */
export interface Expression {
  /** Evaluates the expression over a JSON value. Throws where a function gets a value of another type than it takes. */
  evaluate(value: unknown): unknown;
}

type SyntaxTree = ReturnType<typeof compile>;
type JsonValue = Parameters<typeof TreeInterpreter.search>[1];

// `date(text, pattern, …)` is the one function that lists need and the library lacks (operation 2.8.16).
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

/**
 * Compiles a JMESPath expression (community edition). Returns the problem where it has a syntax error or calls an
 * unknown function, which the library finds only when it is evaluated.
 */
export function compileExpression(text: string): Expression | { readonly problem: string } {
  let tree: SyntaxTree;
  try {
    tree = compile(text);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  const unknown = findFunctionNames(tree).find((name) => !isRegistered(name));
  if (unknown !== undefined) return { problem: `unknown function ${unknown}()` };
  return { evaluate: (value) => TreeInterpreter.search(tree, toJsonValue(value)) };
}

/** The library only reads the value. Its type for JSON has no name for a value that was parsed already. */
function toJsonValue(value: unknown): JsonValue {
  if (isJsonValue(value)) return value;
  throw new TypeError('not a JSON value');
}

/** Checks the outermost value only: whatever is inside came from the same JSON text. */
function isJsonValue(value: unknown): value is JsonValue {
  return value === null || ['string', 'number', 'boolean', 'object'].includes(typeof value);
}

/** The names of all functions that a syntax tree calls. */
function findFunctionNames(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  const called = 'type' in node && node.type === 'Function' && 'name' in node ? [String(node.name)] : [];
  return [...called, ...Object.values(node).flatMap(findFunctionNames)];
}

/** Whether a value is true in JMESPath: anything but null, false, and the empty text, list and object. */
export function isTruthy(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== false && value !== '';
}
