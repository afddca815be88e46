import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findBrokenCitations, readCitableContent, readComments } from './support/citations.js';
import type { CitableContent } from './support/citations.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const content = readCitableContent(ROOT);

/** Paths that comments use as examples, and a file that the build writes. */
const EXAMPLES = new Set(['a.ts', 'b.ts', 'src/a.ts', 'src/b.ts', 'src/file.ts', 'dist/licenses.md']);

function brokenIn(file: string, text: string): readonly string[] {
  const broken = findBrokenCitations(text, content).filter((citation) => !EXAMPLES.has(citation));
  return [...new Set(broken)].map((citation) => `${file}: ${citation}`);
}

const read = (file: string): string => readFileSync(`${ROOT}${file}`, 'utf8');

describe('citations', () => {
  it('in comments name sections, decision records and files that exist', () => {
    const sources = [...content.files.filter((file) => /^(?:src|test|bench)\/.*\.ts$|^[\w.]+\.ts$/.test(file))];
    expect(sources.length).toBeGreaterThan(300);
    expect(sources.flatMap((file) => brokenIn(file, readComments(read(file))))).toEqual([]);
  });

  it('in documents, configuration files and case files name sections, decision records and files that exist', () => {
    const texts = content.files.filter((file) =>
      /^(?:docs|config|deploy|test\/cases|bench)\/.*\.(?:md|yaml|txt|http)$|^README\.md$/.test(file),
    );
    expect(texts.length).toBeGreaterThan(100);
    expect(texts.flatMap((file) => brokenIn(file, read(file)))).toEqual([]);
  });

  it('of clauses that have a case name sections that exist', () => {
    const ids = [...read('test/cases/clauses.txt').matchAll(/^(decisions|interfaces|operation)-(\d+(?:\.\d+)*)-/gm)];
    expect(ids.length).toBeGreaterThan(100);
    const missing = ids.filter(
      ([, document = '', section = '']) => content.sections.get(document)?.has(section) !== true,
    );
    expect(missing.map(([id]) => id)).toEqual([]);
  });

  it('never refer to a file outside the repository', () => {
    const files = content.files.filter(
      (file) => /\.(?:ts|md|yaml|txt)$/.test(file) && file !== 'test/citations.test.ts',
    );
    expect(files.filter((file) => /\.\.\/shared(?![-\w])/.test(read(file)))).toEqual([]);
  });
});

describe('the check of citations', () => {
  const sample: CitableContent = {
    sections: new Map([['decisions', new Set(['4', '4.3'])]]),
    records: new Set(['0015']),
    files: ['src/records/packed-records.ts', 'docs/errors.md'],
  };

  it.each([
    ['a section that does not exist', 'see (decisions 4.99)', ['decisions 4.99']],
    ['one of several sections', '(decisions 4.3, 9.1)', ['decisions 9.1']],
    ['a citation that a line break divides', '/**\n * (decisions\n * 4.8)\n */', ['decisions 4.8']],
    ['a decision record that does not exist', '(decision record 0099)', ['decision record 0099']],
    ['a file that does not exist', 'as in records/no-such.ts', ['records/no-such.ts']],
    [
      'a section of a document cited by its file name',
      '(decisions.md, section 4)',
      ['decisions.md', 'decisions.md, section 4'],
    ],
  ])('finds %s', (_, text, broken) => {
    expect(findBrokenCitations(text, sample)).toEqual(broken);
  });

  it('accepts what exists', () => {
    const text =
      '(decisions 4, 4.3) and (decision record 0015): `records/packed-records.ts`, [errors](errors.md), https://example.org/a.md';
    expect(findBrokenCitations(text, sample)).toEqual([]);
  });

  it('reads the comments of a source, not its strings', () => {
    const source = "/** A. */\nconst url = 'https://example.org/no-such.ts'; // B\n/* C */";
    expect(readComments(source)).toBe('/** A. */\n// B\n/* C */');
  });
});
