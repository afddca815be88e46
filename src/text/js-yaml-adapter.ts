import {
  COLLECTION_STYLE,
  DEFAULT_SCALAR_STYLE_RULES as rules,
  DUMP_SCHEMA,
  SCALAR_STYLE,
  jsToAst,
  present,
} from 'js-yaml';
import type { Node, ScalarLayout, ScalarNode, ScalarStyleRule } from 'js-yaml';

// For `config/yaml/parse-yaml.ts`: only one file imports each library.
export { EVENT_ID, SCALAR_STYLE, YAMLException, getScalarValue, parseEvents } from 'js-yaml';
export type { Event, ScalarEvent } from 'js-yaml';

export type YamlAstNode = Node;

/** Columns (decisions 3.4). */
export const YAML_INDENT = 2;

/** In columns. A line without a space to fold at may be wider. */
export const YAML_WIDTH = 80;

const schema = DUMP_SCHEMA;

/** A text must be well-formed UTF-16. */
export function buildYamlScalar(value: string | number | boolean): YamlAstNode {
  if (typeof value === 'string') return buildTextNode(value);
  const contents = jsToAst(value, schema)[0]?.contents;
  if (!contents) throw new TypeError(`js-yaml returned no node for ${value}`);
  return contents;
}

/** Block style. */
export function buildYamlSequence(items: YamlAstNode[]): YamlAstNode {
  return { kind: 'sequence', tag: 'tag:yaml.org,2002:seq', tagged: false, style: COLLECTION_STYLE.BLOCK, items };
}

/** Block style. */
export function buildYamlMapping(entries: readonly (readonly [name: string, value: YamlAstNode])[]): YamlAstNode {
  const items = entries.map(([name, value]) => ({ key: buildTextNode(name), value }));
  return { kind: 'mapping', tag: 'tag:yaml.org,2002:map', tagged: false, style: COLLECTION_STYLE.BLOCK, items };
}

/** Marks the place of a text that the caller writes. js-yaml never writes its control character in a scalar. */
export const YAML_PLACEHOLDER = '*\u0001';

/** Written as `YAML_PLACEHOLDER`: an alias, whose name the library does not escape. */
export function buildYamlPlaceholder(): YamlAstNode {
  return { kind: 'alias', anchor: YAML_PLACEHOLDER.slice(1) };
}

function buildTextNode(value: string): ScalarNode {
  return { kind: 'scalar', tag: schema.defaultScalarTag.tagName, tagged: false, style: SCALAR_STYLE.PLAIN, value };
}

/**
 * Writes the lines of a scalar (`depth` 0) or of a collection that is not empty, indented by `depth` levels. YAML 1.1
 * and 1.2 read the same values. No line is wider than 80 columns where a block scalar can be folded. Every line ends
 * with a line feed.
 */
export function writeYamlLines(node: YamlAstNode, depth: number): string {
  let contents = node;
  for (let level = 0; level < depth; level += 1) contents = buildYamlMapping([[PARENT_KEY, contents]]);
  const options = { schema, indent: YAML_INDENT, lineWidth: YAML_WIDTH, scalarStyleRules: [createStyleRule()] };
  const document = present([{ contents, directives: [] }], options);
  return document.slice(measureParentLines(depth)).replace(OPEN_END, '');
}

/** Key of the mappings that indent a node. Their lines are cut off. */
const PARENT_KEY = 'k';

/** Characters of the lines `k:`, each indented by one level more than the line before. */
function measureParentLines(depth: number): number {
  return depth * `${PARENT_KEY}:\n`.length + (YAML_INDENT * depth * (depth - 1)) / 2;
}

/** Written by the library after a last scalar that keeps its line feeds. */
const OPEN_END = /(?<=\n)\.\.\.\n$/;

/** The library calls the rule for a key before the key's value. */
function createStyleRule(): ScalarStyleRule {
  let keyWidth = 0;
  return (layout) => {
    if (layout.isKey) {
      rules.doubleQuoteForInvisibles(layout);
      quoteAmbiguousScalar(layout);
      rules.fallbackToDoubleQuoted(layout);
      keyWidth = measureKey(layout);
      return;
    }
    if (layout.node.value.includes('\n')) {
      rules.doubleQuoteWhitespaceOnly(layout);
      rules.tryLongOrMultilineAsBlock(layout);
    } else {
      quoteAmbiguousScalar(layout);
      foldWideLine(layout, findValueColumn(layout, keyWidth));
    }
    rules.fallbackToDoubleQuoted(layout);
  };
}

/**
 * Texts that some reader resolves to another type: digits with any character that a reader allows in a number, a time
 * of day or a date; the truth values of YAML 1.1 in any case; null; and texts that begin like a document marker.
 */
const RESOLVED_BY_READERS =
  /^(?:[-+]?\.?\d[\d_.,:]*(?:e[-+]?\d*)?|[-+]?(?=[._e\d])[._\d]*(?:e[-+]?\d+)?|(?:---|\.\.\.)(?:\s.*)?|[-+]?0[box][\da-f_]*|[-+]?\.(?:inf|nan)|\d{4}-\d.*|y|n|yes|no|on|off|true|false|null)$/is;

/**
 * Quotes what YAML does not allow as a plain scalar, or some reader of YAML 1.1 or 1.2 could resolve to a number, a
 * date, a truth value or null. The library knows fewer of these.
 */
function quoteAmbiguousScalar(layout: ScalarLayout): void {
  const isText = layout.node.tag === schema.defaultScalarTag.tagName && layout.style === SCALAR_STYLE.PLAIN;
  if (isText && RESOLVED_BY_READERS.test(layout.node.value)) layout.style = SCALAR_STYLE.SINGLE_QUOTED;
  rules.quoteInvalidPlain(layout);
}

/** Folds a scalar that is too wide for one line. The library alone ignores the width of the key. */
function foldWideLine(layout: ScalarLayout, column: number): void {
  if (column + measureScalar(layout) > YAML_WIDTH && FOLDABLE.test(layout.node.value))
    layout.style = SCALAR_STYLE.FOLDED_BLOCK;
}

/** Has a space at which it can be folded. */
const FOLDABLE = /^(?! ).* [^ \t]/;

/** After its key, or after the dash of its item. */
function findValueColumn({ parent, shiftOfParent, shiftOfFirstLine }: ScalarLayout, keyWidth: number): number {
  return parent?.kind === 'mapping' ? shiftOfParent + keyWidth + ': '.length : shiftOfFirstLine;
}

/** The library writes a longer key after `? ` on a line of its own. */
const MAX_INLINE_KEY_LENGTH = 1024;

/** In columns; 0 if the value is on the next line. */
function measureKey(layout: ScalarLayout): number {
  const width = measureScalar(layout);
  return width > MAX_INLINE_KEY_LENGTH || layout.node.value.includes('\n') ? 0 : width;
}

/** In columns on one line. An upper bound for a double-quoted scalar. */
function measureScalar({ style, node: { value } }: ScalarLayout): number {
  if (style === SCALAR_STYLE.PLAIN) return value.length;
  if (style === SCALAR_STYLE.SINGLE_QUOTED) return value.replaceAll("'", "''").length + 2;
  return quoteYaml(value).length;
}

/** YAML escapes these and JSON does not, because readers take them for a line break or do not show them. */
const INVISIBLE = /[\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Double-quoted, on one line. A JSON string is valid YAML. */
export function quoteYaml(text: string): string {
  return JSON.stringify(text).replace(
    INVISIBLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
