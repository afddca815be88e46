import { getErrorMessage } from '../../../text/get-error-message.js';
import { compileExpression } from '../../../text/jmespath-adapter.js';

/** Checked by the configuration (operation 2.8.16). */
export type MappingExpression = (value: unknown) => MappedValue;

/** `failure` is the reason, such as `upper` of nothing. */
export type MappedValue = { readonly value: unknown } | { readonly failure: string };

/** The configuration has checked the expression. */
export function compileMapping(text: string): MappingExpression {
  const expression = compileExpression(text);
  if ('problem' in expression) throw new Error(expression.problem);
  return (value) => {
    // The unread stack takes a third of the time of a document in which every expression fails.
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

/** Texts and numbers of a value or list. */
export function readKeys(mapped: MappedValue): readonly string[] {
  if ('failure' in mapped) return [];
  const items: readonly unknown[] = Array.isArray(mapped.value) ? mapped.value : [mapped.value];
  return items.filter(isKey).map(String);
}

/** JSON parsers change the last digits of larger integers: different numbers would be one key. */
function isKey(item: unknown): boolean {
  if (typeof item === 'number') return Number.isSafeInteger(item) || (Number.isFinite(item) && !Number.isInteger(item));
  return typeof item === 'string' && item !== '';
}
