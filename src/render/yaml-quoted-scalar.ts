import { YAML_PLACEHOLDER, YAML_INDENT, YAML_WIDTH, quoteYaml } from '../text/js-yaml-adapter.js';
import { MAX_SHORT_LENGTH, splitLongText } from './chunked-text-output.js';

/** In columns. */
export interface ScalarPosition {
  /** Of the first character. */
  readonly column: number;
  /** Of the further lines. */
  readonly indent: number;
}

/** YAML escapes it or some reader misinterprets it, or it is a lone surrogate. */
const NEEDS_ESCAPE = /[^\n -~\u00a1-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

/** Block scalars do not fold a long line that begins with a space. */
const INDENTED_LONG_LINE = /^ [^\n]{40}/m;

/** Some readers drop these from a block scalar. */
const TRAILING_SPACES = /\n +$/;

/**
 * js-yaml folds only block scalars, which cannot contain escapes, and its regular expressions overflow the stack for
 * texts of two million characters.
 */
export function needsQuotedScalar(text: string): boolean {
  return (
    text.length > MAX_SHORT_LENGTH ||
    NEEDS_ESCAPE.test(text) ||
    INDENTED_LONG_LINE.test(text) ||
    TRAILING_SPACES.test(text)
  );
}

/** By the texts as quoted scalars. */
export function fillPlaceholders(lines: string, texts: readonly string[]): string {
  const [begin = '', ...parts] = lines.split(YAML_PLACEHOLDER);
  let text = begin;
  for (const [at, part] of parts.entries()) {
    const line = text.slice(text.lastIndexOf('\n') + 1);
    const { length } = /^ *(?:[-?:] )*/.exec(line)?.[0] ?? '';
    const indent = length === line.length ? length : length + YAML_INDENT;
    text += [...renderQuotedScalar(texts[at] ?? '', { column: line.length, indent })].join('') + part;
  }
  return text;
}

const FOLDING_SPACE = /(?<=[^ ]) (?=[^ ])/;

/** Double-quoted, folded at 80 columns (decisions 3.4), in pieces. Lone surrogates become U+FFFD (decisions 3.11). */
export function* renderQuotedScalar(
  text: string,
  { column, indent }: ScalarPosition,
): Generator<string, void, undefined> {
  const newLine = `\n${' '.repeat(indent)}`;
  let at = column;
  let gap = '';
  const placeWord = (word: string): string => {
    const folds = gap !== '' && at + gap.length + word.length > YAML_WIDTH;
    const before = folds ? newLine : gap;
    at = (folds ? indent : at + gap.length) + word.length;
    gap = ' ';
    return before + word;
  };
  let rest = '"';
  for (const slice of splitLongText(text)) {
    const words = (rest + quoteYaml(slice.toWellFormed()).slice(1, -1)).split(FOLDING_SPACE);
    rest = words.pop() ?? '';
    yield words.map(placeWord).join('');
    if (rest.length <= MAX_SHORT_LENGTH) continue;
    // A word longer than a slice is written at once, and what follows continues on the same line.
    yield placeWord(rest);
    [rest, gap] = ['', ''];
  }
  yield placeWord(`${rest}"`);
}
