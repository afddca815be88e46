import {
  COLLECTION_STYLE,
  DEFAULT_SCALAR_STYLE_RULES as rules,
  DUMP_SCHEMA,
  SCALAR_STYLE,
  dump,
  present,
} from 'js-yaml';
import type { Node, ScalarLayout, ScalarNode } from 'js-yaml';

// Reading (config/yaml.ts) goes over the library's events; they stand here, because each library is known by one file.
export { EVENT_ID, SCALAR_STYLE, YAMLException, getScalarValue, parseEvents } from 'js-yaml';
export type { Event, ScalarEvent } from 'js-yaml';

/** The place of a scalar in a block collection, in columns. */
export interface Place {
  /** From which the lines of a scalar in block style are indented by two more. */
  readonly indent: number;
  /** Where the scalar begins. */
  readonly column: number;
}

/** Widest line (interfaces.md, section 1); one that holds no space to fold at may be longer. */
export const WIDTH = 80;

/**
 * A text as YAML, without a line feed at its end: plain where YAML 1.1 and 1.2 both read it as this text, else quoted, or in block
 * style. Its further lines, if it has any, are indented for its place.
 */
export function yamlText(text: string, place: Place): string {
  const { indent, column } = place;
  if (text.length > LONGEST) return doubleQuoted(text);
  const written = presented(text, WIDTH - indent, WIDTH - column);
  const inner = written
    .slice(KEY.length + 2)
    .replace(OPEN_END, '')
    .replace(/\n$/, '');
  return inner.replace(/\n(?=[^\n])/g, `\n${' '.repeat(indent)}`);
}

/** Above this many characters nothing is asked of the library: from two million on, its regular expressions overflow the stack. */
const LONGEST = 16_384;

/** What YAML, other than JSON, writes as an escape, for readers take it for a line break or do not show it. */
const INVISIBLE = /[\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]/g;

/** A text between double quotes, as JSON writes it, which YAML reads too: so is every text of more than 16,384 characters written. */
export function doubleQuoted(text: string): string {
  return JSON.stringify(text).replace(
    INVISIBLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A key with its colon; one that is very long, or holds a line feed, takes two lines. */
export function yamlKey(key: string): string {
  if (key.length > LONGEST) return `? ${doubleQuoted(key)}\n:`;
  const contents = mapping(scalar(key), scalar(KEY));
  return present([{ contents, directives: [] }], { schema, scalarStyleRules }).slice(0, -(KEY.length + 2));
}

/** Digits with whatever some reader allows in a number, a time of day or a date; what YAML 1.1 takes for a truth value, in any case. */
const RESOLVED =
  /^(?:[-+]?\.?\d[\d_.,:]*(?:e[-+]?\d*)?|[-+]?0[box][\da-f_]*|[-+]?\.(?:inf|nan)|\d{4}-\d.*|y|n|yes|no|on|off|true|false|null)$/is;

/** Whether some reader of YAML 1.1 or 1.2 could take the text, unquoted, for a number, a date, a truth value or nothing. */
export function isResolved(text: string): boolean {
  return RESOLVED.test(text);
}

/** A number or a truth value as YAML; `1.e+21` is a number to YAML 1.1 too, which `1e+21` is not. */
export function yamlPlain(value: number | boolean): string {
  return dump(value).trimEnd();
}

/** Any plain key; it is cut off again. */
const KEY = 'k';

/** How the library ends a document whose last scalar keeps its line feeds; it may as well just end. */
const OPEN_END = /(?<=\n)\.\.\.\n$/;

const schema = DUMP_SCHEMA;

/** Columns that are left for the scalar that is written at the moment. */
let left = WIDTH;

/** The library counts a long line without its key, and knows neither all that readers take for numbers and dates, nor all cases. */
const scalarStyleRules = [
  rules.doubleQuoteForInvisibles,
  rules.doubleQuoteWhitespaceOnly,
  foldWhatIsTooWide,
  quoteWhatReadersResolve,
  rules.tryLongOrMultilineAsBlock,
  rules.quoteInvalidPlain,
  rules.fallbackToDoubleQuoted,
];

function quoteWhatReadersResolve(layout: ScalarLayout): void {
  const text = layout.node.tag === schema.defaultScalarTag.tagName && layout.style === SCALAR_STYLE.PLAIN;
  if (text && isResolved(layout.node.value)) layout.style = SCALAR_STYLE.SINGLE_QUOTED;
}

function foldWhatIsTooWide(layout: ScalarLayout): void {
  if (layout.style !== SCALAR_STYLE.PLAIN || layout.isKey) return;
  if (widthOf(layout) > left && isFoldable(layout.node.value)) layout.style = SCALAR_STYLE.FOLDED_BLOCK;
}

/** Characters on one line, plain or else between single quotes. */
function widthOf({ allowedStylesMask, node }: ScalarLayout): number {
  const plain = (allowedStylesMask & (1 << SCALAR_STYLE.PLAIN)) !== 0 && !isResolved(node.value);
  return plain ? node.value.length : node.value.replaceAll("'", "''").length + 2;
}

/** Whether it is one line with a space to fold at. */
function isFoldable(text: string): boolean {
  return !text.startsWith(' ') && !text.includes('\n') && / [^ \t]/.test(text);
}

function presented(text: string, lineWidth: number, room: number): string {
  left = room;
  const contents = mapping(scalar(KEY), scalar(text));
  return present([{ contents, directives: [] }], { schema, lineWidth, scalarStyleRules });
}

function mapping(key: Node, value: Node): Node {
  return { kind: 'mapping', tag: MAP, tagged: false, style: COLLECTION_STYLE.BLOCK, items: [{ key, value }] };
}

function scalar(value: string): ScalarNode {
  return { kind: 'scalar', tag: schema.defaultScalarTag.tagName, tagged: false, style: SCALAR_STYLE.PLAIN, value };
}

const MAP = 'tag:yaml.org,2002:map';
