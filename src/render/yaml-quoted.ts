import { YAML_GAP, YAML_INDENT, YAML_WIDTH, yamlQuoted } from '../text/yaml.js';
import { LONG, slicesOf } from './pending.js';

/** Where a scalar is written, in columns. */
export interface Place {
  /** Where it begins. */
  readonly column: number;
  /** Indentation of its further lines. */
  readonly indent: number;
}

/** A character that YAML writes as an escape, or that some reader does not take for what it is; or a lone surrogate. */
const ESCAPED = /[^\n -~\u00a1-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

/** A long line that begins with a space, which no block scalar folds. */
const INDENTED = /^ [^\n]{40}/m;

/** Spaces behind the last line feed: some readers drop them from a block scalar. */
const TRAILING = /\n +$/;

/**
 * Whether `quotedPieces` writes the text. js-yaml folds in block scalars alone, and those hold no escapes; and its regular expressions overflow the
 * stack at texts of two million characters.
 */
export function isQuoted(text: string): boolean {
  return text.length > LONG || ESCAPED.test(text) || INDENTED.test(text) || TRAILING.test(text);
}

/** The same lines with texts in their gaps. */
export function filled(lines: string, texts: readonly string[]): string {
  const [begin = '', ...parts] = lines.split(YAML_GAP);
  let whole = begin;
  for (const [at, part] of parts.entries()) {
    const line = whole.slice(whole.lastIndexOf('\n') + 1);
    const { length } = /^ *(?:[-?:] )*/.exec(line)?.[0] ?? '';
    const indent = length === line.length ? length : length + YAML_INDENT;
    whole += [...quotedPieces(texts[at] ?? '', { column: line.length, indent })].join('') + part;
  }
  return whole;
}

/** A single space, which a line break may stand for. */
const BREAK = /(?<=[^ ]) (?=[^ ])/;

/** A text between double quotes, folded at width 80, in pieces. Lone surrogates become U+FFFD. */
export function* quotedPieces(text: string, { column, indent }: Place): Generator<string, void, undefined> {
  const newLine = `\n${' '.repeat(indent)}`;
  let at = column;
  let gap = '';
  const placed = (word: string): string => {
    const folds = gap !== '' && at + gap.length + word.length > YAML_WIDTH;
    const before = folds ? newLine : gap;
    at = (folds ? indent : at + gap.length) + word.length;
    gap = ' ';
    return before + word;
  };
  let rest = '"';
  for (const slice of slicesOf(text)) {
    const words = (rest + yamlQuoted(slice.toWellFormed()).slice(1, -1)).split(BREAK);
    rest = words.pop() ?? '';
    yield words.map(placed).join('');
    if (rest.length <= LONG) continue;
    // A word without an end: what follows it stands on the same line.
    yield placed(rest);
    [rest, gap] = ['', ''];
  }
  yield placed(`${rest}"`);
}
