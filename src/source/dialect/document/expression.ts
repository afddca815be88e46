import { getErrorMessage } from '../../../text/get-error-message.js';
import { compileExpression } from '../../../text/jmespath-adapter.js';

/** An expression of a registration, which the configuration has checked (operation 2.8.16). */
export type MappingExpression = (value: unknown) => MappedValue;

/** What an expression gives for a value; the reason if it cannot be evaluated, such as `upper` of nothing. */
export type MappedValue = { readonly value: unknown } | { readonly failure: string };

/** Compiles an expression that the configuration has checked. */
export function compileMapping(text: string): MappingExpression {
  const expression = compileExpression(text);
  if ('problem' in expression) throw new Error(expression.problem);
  return (value) => {
    // The stack is not read. To collect it takes a third of the time of a document in which every expression fails.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      return { value: expression.evaluate(value) };
    } catch (error) {
      return { failure: getErrorMessage(error) };
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  };
}

/** The keys that an expression gives: the texts and numbers of a value or list. */
export function readKeys(mapped: MappedValue): readonly string[] {
  if ('failure' in mapped) return [];
  const items: readonly unknown[] = Array.isArray(mapped.value) ? mapped.value : [mapped.value];
  return items.filter(isKey).map(String);
}

/** JSON parsers change the last digits of larger integers, so that different numbers would be the same key. */
function isKey(item: unknown): boolean {
  if (typeof item === 'number') return Number.isSafeInteger(item) || (Number.isFinite(item) && !Number.isInteger(item));
  return typeof item === 'string' && item !== '';
}
