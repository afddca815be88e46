/**
 * An expression over an entry of a document, from the part of JMESPath that the generated registrations use. It is written as text for
 * Rollcall and evaluated here without the library of Rollcall.
 */
export type DocumentExpression =
  /** The value at a path of names, from the entry on. */
  | { readonly kind: 'path'; readonly names: readonly string[] }
  | { readonly kind: 'upper' | 'lower' | 'not'; readonly of: DocumentExpression }
  /** The first value unless it counts as false, else the other one. */
  | { readonly kind: 'either'; readonly of: DocumentExpression; readonly other: DocumentExpression }
  | { readonly kind: 'equal' | 'unequal'; readonly of: DocumentExpression; readonly other: DocumentExpression }
  /** The values as a list. */
  | { readonly kind: 'list'; readonly items: readonly DocumentExpression[] }
  /** The values, which must be texts, as one text with this text between them. */
  | { readonly kind: 'joined'; readonly between: string; readonly items: readonly DocumentExpression[] }
  | { readonly kind: 'text'; readonly text: string }
  /** `name` of each object of a list; only of those in which `unless` counts as false; only of the first one. */
  | { readonly kind: 'each'; readonly list: string; readonly name: string; readonly unless?: string }
  | { readonly kind: 'first'; readonly list: string; readonly name: string };

/** Thrown where a function gets a value of another type than it takes. */
export class EvaluationError extends Error {}

/** The text of an expression in a registration. */
export function writeExpression(expression: DocumentExpression): string {
  switch (expression.kind) {
    case 'path':
      return expression.names.map(writeName).join('.');
    case 'upper':
    case 'lower':
      return `${expression.kind}(${writeExpression(expression.of)})`;
    case 'not':
      return `!${writeExpression(expression.of)}`;
    case 'either':
      return `${writeExpression(expression.of)} || ${writeExpression(expression.other)}`;
    case 'equal':
    case 'unequal':
      return `${writeExpression(expression.of)} ${expression.kind === 'equal' ? '==' : '!='} ${writeExpression(expression.other)}`;
    case 'list':
      return `[${expression.items.map(writeExpression).join(', ')}]`;
    case 'joined':
      return `join('${expression.between}', [${expression.items.map(writeExpression).join(', ')}])`;
    case 'text':
      return `'${expression.text}'`;
    case 'each':
      return `${writeName(expression.list)}[${expression.unless === undefined ? '' : `?!${writeName(expression.unless)}`}].${writeName(expression.name)}`;
    case 'first':
      return `${writeName(expression.list)}[0].${writeName(expression.name)}`;
  }
}

function writeName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

/** The value of an expression for an entry; null for nothing. Throws an `EvaluationError`. */
export function evaluateExpression(expression: DocumentExpression, entry: unknown): unknown {
  const of = (inner: DocumentExpression): unknown => evaluateExpression(inner, entry);
  switch (expression.kind) {
    case 'path':
      return expression.names.reduce(memberOf, entry);
    case 'upper':
      return requireText(of(expression.of)).toUpperCase();
    case 'lower':
      return requireText(of(expression.of)).toLowerCase();
    case 'not':
      return !isTrue(of(expression.of));
    case 'either': {
      const value = of(expression.of);
      return isTrue(value) ? value : of(expression.other);
    }
    case 'equal':
      return of(expression.of) === of(expression.other);
    case 'unequal':
      return of(expression.of) !== of(expression.other);
    case 'list':
      return expression.items.map(of);
    case 'joined':
      return expression.items.map((item) => requireText(of(item))).join(expression.between);
    case 'text':
      return expression.text;
    case 'each':
      return eachOf(memberOf(entry, expression.list), expression);
    case 'first': {
      const list = memberOf(entry, expression.list);
      return memberOf(Array.isArray(list) ? list[0] : undefined, expression.name);
    }
  }
}

function eachOf(list: unknown, { name, unless }: { readonly name: string; readonly unless?: string }): unknown {
  if (!Array.isArray(list)) return null;
  const kept = list.filter((item) => unless === undefined || !isTrue(memberOf(item, unless)));
  return kept.map((item) => memberOf(item, name)).filter((value) => value !== null);
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const member: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
  return member ?? null;
}

function requireText(value: unknown): string {
  if (typeof value !== 'string') throw new EvaluationError('not a text');
  return value;
}

/** Whether a value is true: anything but null, false, and the empty text, list and object. */
export function isTrue(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== null && value !== undefined && value !== false && value !== '';
}
