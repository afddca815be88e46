import ts from 'typescript';
import { logLevels } from './gateway/program.js';

const LEVELS: ReadonlySet<string> = new Set([...logLevels, 'audit']);

/** The texts that an expression can have, each up to its first placeholder. Empty where they are not literals. */
function textsOf(expression: ts.Expression | undefined): readonly string[] {
  if (expression === undefined) return [];
  if (ts.isStringLiteralLike(expression)) return [expression.text];
  if (ts.isTemplateExpression(expression)) return [`${expression.head.text}…`];
  if (ts.isConditionalExpression(expression))
    return [...textsOf(expression.whenTrue), ...textsOf(expression.whenFalse)];
  return [];
}

/** The message of a call that has the level of a log line as its first argument, or as its name; undefined for others. */
function findMessage({ expression, arguments: [first, second] }: ts.CallExpression): ts.Expression | undefined {
  const isOfLog = ts.isPropertyAccessExpression(expression) && expression.expression.getText() === 'log';
  const level = isOfLog ? [expression.name.text] : textsOf(first);
  return level.some((text) => LEVELS.has(text)) ? second : undefined;
}

/**
 * The messages of all log lines that a source text writes. One with a placeholder ends there with an ellipsis, such as
 * `text: …`.
 */
export function listLogMessages(text: string): readonly string[] {
  const messages: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) messages.push(...textsOf(findMessage(node)));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.tsx', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
  return messages;
}
