import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { renderCsv } from '../../src/render/csv.js';
import { programs, run } from './programs.js';

const PAGE = new URL('../../docs/formats.md', import.meta.url);

/** Texts and lists that CSV must escape or guard. */
const VALUES: readonly (string | readonly string[])[] = [
  'Strandgata 1\r\n5003 Bergen',
  ['https://cert.example.no/', 'https://social.example.net/@fjord|cert'],
  ['+47 5550 0100', '+47 5550 0101 (fax)'],
  '007',
  '=All "things" & more',
  ['a\\', 'b|c', '\\|', 'C:\\x'],
  "'=1",
  '-a',
];

it('the Python script of docs/formats.md restores the values of a CSV row', () => {
  const script = /```python\n([^]*?)\n```/.exec(readFileSync(PAGE, 'utf8'))?.[1] ?? '';
  const [functions = ''] = script.split('\nwith open');
  const columns = VALUES.map((_, at) => `c${at}`);
  const row = new Map(VALUES.map((value, at) => [`c${at}`, value]));
  const input = [...renderCsv({ name: 'teams', columns, rows: [row], metadata: new Map() })].join('');
  const { stdout, stderr } = run(programs.python, ['-c', `${functions}\n${PRINT_CELLS}`], { input });
  expect(stderr).toBe('');
  const found = JSON.parse(stdout) as [text: string, items: string[]][];
  expect(found.map(([text, items], at) => (typeof VALUES[at] === 'object' ? items : text))).toEqual(VALUES);
});

/** Prints the text and the list items of each cell of the first row, as the functions of the page read them. */
const PRINT_CELLS = `import io, json, sys
rows = list(csv.reader(io.StringIO(sys.stdin.buffer.read().decode(), newline="")))
print(json.dumps([[value(cell), items(value(cell))] for cell in rows[1]]))`;
