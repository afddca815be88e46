import {
  COLLECTION_STYLE,
  DEFAULT_SCALAR_STYLE_RULES as rules,
  DUMP_SCHEMA,
  SCALAR_STYLE,
  jsToAst,
  present,
} from 'js-yaml';
import type { Node, ScalarLayout, ScalarNode, ScalarStyleRule } from 'js-yaml';

// Reading (config/yaml.ts) goes over the library's events; they stand here, because each library is known by one file.
export { EVENT_ID, SCALAR_STYLE, YAMLException, getScalarValue, parseEvents } from 'js-yaml';
export type { Event, ScalarEvent } from 'js-yaml';

/** A node of a YAML document, as the library presents it. */
export type YamlAstNode = Node;

/** Columns of one level of indentation. */
export const YAML_INDENT = 2;

/** Widest line (interfaces.md, section 1); a line that has no space to fold at may be wider. */
export const YAML_WIDTH = 80;

const schema = DUMP_SCHEMA;

/** A scalar node. A text needs to be well-formed UTF-16. */
export function buildYamlScalar(value: string | number | boolean): YamlAstNode {
  if (typeof value === 'string') return buildTextNode(value);
  const contents = jsToAst(value, schema)[0]?.contents;
  if (!contents) throw new TypeError(`js-yaml gave no node for ${value}`);
  return contents;
}

/** A sequence node in block style. */
export function buildYamlSequence(items: YamlAstNode[]): YamlAstNode {
  return { kind: 'sequence', tag: 'tag:yaml.org,2002:seq', tagged: false, style: COLLECTION_STYLE.BLOCK, items };
}

/** A mapping node in block style. */
export function buildYamlMapping(entries: readonly (readonly [name: string, value: YamlAstNode])[]): YamlAstNode {
  const items = entries.map(([name, value]) => ({ key: buildTextNode(name), value }));
  return { kind: 'mapping', tag: 'tag:yaml.org,2002:map', tagged: false, style: COLLECTION_STYLE.BLOCK, items };
}

/**
 * Stands in the lines for a text that the caller writes. It holds a control character, which js-yaml writes in no scalar.
 */
export const YAML_PLACEHOLDER = '*\u0001';

/** The node that is written as `YAML_PLACEHOLDER`: an alias, whose name the library writes as it is. */
export function buildYamlPlaceholder(): YamlAstNode {
  return { kind: 'alias', anchor: YAML_PLACEHOLDER.slice(1) };
}

function buildTextNode(value: string): ScalarNode {
  return { kind: 'scalar', tag: schema.defaultScalarTag.tagName, tagged: false, style: SCALAR_STYLE.PLAIN, value };
}

/**
 * The lines of a scalar (`depth` 0) or of a collection that is not empty, indented by `depth` levels. YAML 1.1 and 1.2 read them alike
 * (decisions.md, section 3); no line is wider than 80 columns where a block scalar can fold. Every line ends with a line feed.
 */
export function writeYamlLines(node: YamlAstNode, depth: number): string {
  let contents = node;
  for (let level = 0; level < depth; level += 1) contents = buildYamlMapping([[PARENT_KEY, contents]]);
  const options = { schema, indent: YAML_INDENT, lineWidth: YAML_WIDTH, scalarStyleRules: [createStyleRule()] };
  const document = present([{ contents, directives: [] }], options);
  return document.slice(measureParentLines(depth)).replace(OPEN_END, '');
}

/** The key of the mappings that indent a node; their lines are cut off. */
const PARENT_KEY = 'k';

/** Characters of the lines `k:`, each of which is indented by one level more than the one before. */
function measureParentLines(depth: number): number {
  return depth * `${PARENT_KEY}:\n`.length + (YAML_INDENT * depth * (depth - 1)) / 2;
}

/** The library's end of a document whose last scalar keeps its line feeds. */
const OPEN_END = /(?<=\n)\.\.\.\n$/;

/** The rule by which the library chooses the style of each scalar; it is called for a key before it is called for the key's value. */
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

/** Digits with whatever some reader allows in a number, a time of day or a date; what YAML 1.1 takes for a truth value, in any case; what begins as a document marker does. */
const RESOLVED_BY_READERS =
  /^(?:[-+]?\.?\d[\d_.,:]*(?:e[-+]?\d*)?|[-+]?(?=[._e\d])[._\d]*(?:e[-+]?\d+)?|(?:---|\.\.\.)(?:\s.*)?|[-+]?0[box][\da-f_]*|[-+]?\.(?:inf|nan)|\d{4}-\d.*|y|n|yes|no|on|off|true|false|null)$/is;

/**
 * Quotes a text that YAML does not allow as a plain scalar, or that some reader of YAML 1.1 or 1.2 could take for a number, a date, a truth value or
 * null; the library knows fewer of those.
 */
function quoteAmbiguousScalar(layout: ScalarLayout): void {
  const isText = layout.node.tag === schema.defaultScalarTag.tagName && layout.style === SCALAR_STYLE.PLAIN;
  if (isText && RESOLVED_BY_READERS.test(layout.node.value)) layout.style = SCALAR_STYLE.SINGLE_QUOTED;
  rules.quoteInvalidPlain(layout);
}

/** Folds a scalar that would be too wide on one line; the library alone does not count its key. */
function foldWideLine(layout: ScalarLayout, column: number): void {
  if (column + measureScalar(layout) > YAML_WIDTH && FOLDABLE.test(layout.node.value))
    layout.style = SCALAR_STYLE.FOLDED_BLOCK;
}

/** A text with a space to fold at. */
const FOLDABLE = /^(?! ).* [^ \t]/;

/** The column at which a value begins: after its key, or after the dash of its item. */
function findValueColumn({ parent, shiftOfParent, shiftOfFirstLine }: ScalarLayout, keyWidth: number): number {
  return parent?.kind === 'mapping' ? shiftOfParent + keyWidth + ': '.length : shiftOfFirstLine;
}

/** Characters above which the library writes a key behind `? `, on a line of its own. */
const MAX_INLINE_KEY_LENGTH = 1024;

/** Columns of a key; none where its value stands on the next line. */
function measureKey(layout: ScalarLayout): number {
  const width = measureScalar(layout);
  return width > MAX_INLINE_KEY_LENGTH || layout.node.value.includes('\n') ? 0 : width;
}

/** Columns of a scalar on one line; between double quotes at most so many. */
function measureScalar({ style, node: { value } }: ScalarLayout): number {
  if (style === SCALAR_STYLE.PLAIN) return value.length;
  if (style === SCALAR_STYLE.SINGLE_QUOTED) return value.replaceAll("'", "''").length + 2;
  return quoteYaml(value).length;
}

/** What YAML, other than JSON, writes as an escape, for readers take it for a line break or do not show it. */
const INVISIBLE = /[\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]/g;

/** A text between double quotes, on one line: as JSON writes it, which is YAML too. */
export function quoteYaml(text: string): string {
  return JSON.stringify(text).replace(
    INVISIBLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
