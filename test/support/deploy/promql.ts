/** An expression of PromQL without the texts in it. */
function withoutTexts(expression: string): string {
  return expression.replaceAll(/"[^"]*"/g, '""');
}

/** Functions and keywords of PromQL that look like names of metrics. */
const WORDS = new Set(['group_left', 'group_right', 'histogram_quantile', 'max_over_time']);

/** Names of the metrics in an expression: `up`, and every word with an underscore outside of lists of labels. */
export function metricsInExpression(expression: string): string[] {
  const code = withoutTexts(expression).replaceAll(/\{[^}]*\}|\b(?:by|on|without|ignoring) *\([^)]*\)/g, ' ');
  const words = code.match(/[a-z_]\w*/gi) ?? [];
  return [...new Set(words.filter((word) => word === 'up' || (word.includes('_') && !WORDS.has(word))))];
}

/** Names of the labels in an expression: in selectors, and in lists of labels. */
export function labelsInExpression(expression: string): string[] {
  const code = withoutTexts(expression);
  const selected = [...code.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = '']) => list.match(/\w+(?= *[!=])/g) ?? []);
  const grouped = [...code.matchAll(/\b(?:by|on|without|ignoring) *\(([^)]*)\)/g)].flatMap(
    ([, list = '']) => list.match(/\w+/g) ?? [],
  );
  return [...new Set([...selected, ...grouped])];
}
