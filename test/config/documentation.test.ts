import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config/parse-config.js';
import { documentSchema } from '../../src/config/schema/document-schema.js';
import { type Schema, childSchemas } from '../../src/config/schema/schema-builders.js';

/** `docs/configuration.md`: sections are headings, values are rows of a table; `<code>` stands for a key chosen by the operator. */
const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');

interface Row {
  readonly key: string;
  readonly defaultValue: string;
  readonly example: string;
}

const headings = Array.from(page.matchAll(/^#+ `(.+)`$/gm), ([, key = '']) => key);
const rows: Row[] = Array.from(page.matchAll(/^\| `.*\|$/gm), ([line]) => {
  const [, key = '', , , defaultValue = '', example = ''] = line.split('|').map((cell) => cell.trim());
  return { key: key.slice(1, -1), defaultValue, example };
});
const unquoted = (cell: string): string | undefined => /^`([^`]*)`$/.exec(cell)?.[1];

/** Paths of all keys of a schema that are sections (`sections`), or of all that are values. */
function keysOf(schema: Schema, sections: boolean): string[] {
  return Array.from(childSchemas(schema)).flatMap(([key, child]) => {
    const inner = keysOf(child, sections).map((path) => `${key}.${path}`);
    return childSchemas(child).size > 0 === sections ? [key, ...inner] : inner;
  });
}

/** Parses a small configuration with one key set to a value, both as written in the table. */
function parseWith(key: string, value: string): ReturnType<typeof parseConfig> {
  const source = new Map([
    ['number', '1'],
    ['directory', 'https://a.example.org'],
    ['data', 'https://b.example.org'],
  ]);
  const steps = key.replace(/<.*>/, 'own').split('.');
  const [, , first = '', ...inner] = steps;
  if (steps[0] === 'sources')
    source.set(
      first,
      inner.reduceRight((text, step) => `{ ${step}: ${text} }`, value),
    );
  const own = Array.from(source, ([name, text]) => `    ${name}: ${text}\n`).join('');
  const other = steps[0] === 'sources' ? '' : steps.map((step, depth) => `${' '.repeat(depth)}${step}:`).join('\n');
  return parseConfig(`sources:\n  own:\n${own}${other === '' ? '' : `${other} ${value}\n`}`, {});
}

describe('docs/configuration.md', () => {
  test('has a heading for every section of the schema, and no other', () => {
    expect(headings.map((key) => key.replace(/<.*>/, '*')).toSorted()).toEqual(keysOf(documentSchema, true).toSorted());
  });

  test('has a row for every value of the schema, and no other', () => {
    const documented = rows.map(({ key }) => key.replace(/<.*>/, '*'));
    expect(documented.toSorted()).toEqual(keysOf(documentSchema, false).toSorted());
  });

  test.each(rows)('states the actual default of $key', ({ key, defaultValue }) => {
    const value = unquoted(defaultValue);
    if (value === undefined) expect(defaultValue).toMatch(/^(required|none\b.*|the code|as `defaults\..*`)$/);
    else expect(parseWith(key, value)).toEqual(parseWith('cache.memory', '256MiB'));
  });

  test.each(rows)('has a valid example of $key that differs from the default', ({ key, example }) => {
    const parsed = parseWith(key, unquoted(example) ?? '');
    expect(parsed).toHaveProperty('config');
    expect(parsed).not.toEqual(parseWith('cache.memory', '256MiB'));
  });

  test('has two complete configurations, both valid', () => {
    const examples = Array.from(page.matchAll(/```yaml\n(.*?)```/gs), ([, text = '']) => text);
    expect(examples).toHaveLength(2);
    for (const text of examples) expect(parseConfig(text, { PORT: '8080' })).toHaveProperty('config');
  });
});
