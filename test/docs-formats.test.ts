import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DocumentNode } from '../src/model/document-node.js';
import { formats } from '../src/render/formats.js';
import { createRenderInput } from '../src/render/render-input.js';
import type { RenderInput } from '../src/render/render-input.js';
import type { Format } from '../src/render/formats.js';
import { readWorkbook } from './support/formats/workbook-reader.js';

const PAGE = new URL('../docs/formats.md', import.meta.url);

/** A record with values that each format must escape, quote or join. */
const record = new Map<string, DocumentNode>([
  ['short-team-name', 'Fjord-CERT'],
  ['postal-address', 'Strandgata 1\r\n5003 Bergen'],
  ['country-code', 'NO'],
  ['website', ['https://cert.example.no/', 'https://social.example.net/@fjord|cert']],
  ['establishment', '1993-05-01'],
  ['phone-numbers', ['+47 5550 0100', '+47 5550 0101 (fax)']],
  ['constituency-code', '007'],
  ['constituency-description', '=All "things" & more'],
  ['source-name', 'Harbour Register (sample)'],
  ['-harbour-member-type', 'Full Member'],
  ['last-modified', '2026-03-13T16:07:00+00:00'],
]);

const NO_TIMES = { address: '/directory/v1/teams', access: 'public', total: 1, completeness: 'complete' } as const;

const rendering = (): RenderInput =>
  createRenderInput({
    document: [record],
    facts: {
      ...NO_TIMES,
      sources: [{ sourceName: 'Harbour Register (sample)', state: 'fresh', detail: {}, records: 1 }],
      incompleteSources: [],
    },
    items: [
      {
        id: 'harbour.fjord-cert',
        title: 'Fjord-CERT',
        sourceName: 'Harbour Register (sample)',
        address: undefined,
        properties: record,
      },
    ],
    countries: { counts: new Map([['NO', 1]]), withoutCountry: 0, uncounted: 0 },
    table: {
      name: 'teams',
      columns: [...record.keys()],
      rows: [record],
      metadata: new Map<string, DocumentNode>([
        ['query', 'country=NO'],
        ['total', 1],
      ]),
    },
  });

/** Python that reverses the guard and the joined lists of CSV, as the page describes. `npm run test:interop` runs it. */
const PYTHON = `import csv, re

INVISIBLE = (
    "\\x01-\\x20\\x7f-\\xa0\\xad\\u034f\\u061c\\u115f\\u1160\\u1680\\u17b4\\u17b5\\u180b-\\u180f\\u2000-\\u206f\\u2800\\u3000\\u3164"
    "\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a\\U000e0000-\\U000e0fff"
)
GUARDED = re.compile("'+([\\t\\r]|[" + INVISIBLE + "]*[=+\\\\-@＝＋－＠﹦﹢﹣﹫])")

def value(cell):
    return cell[1:] if GUARDED.match(cell) else cell

def items(cell):
    """The items of a list; cell is the result of value()."""
    found = [""]
    for escapes, bar, text in re.findall(r"(\\\\*)(\\||$)|(\\\\+|[^|\\\\]+)", cell):
        if text:
            found[-1] += text
            continue
        found[-1] += "\\\\" * (len(escapes) // 2)
        if bar and len(escapes) % 2:
            found[-1] += "|"
        elif bar:
            found.append("")
    return found

with open("teams.csv", encoding="utf-8", newline="") as file:
    for row in csv.DictReader(file):
        print(value(row["postal-address"]), items(value(row["website"])))`;

function formatOf(name: string): Format {
  const format = formats.find((row) => row.name === name);
  if (format === undefined) throw new Error(`no format ${name}`);
  return format;
}

async function example(name: string): Promise<string> {
  if (name === 'python') return fenced('python', PYTHON);
  const rendered = await formatOf(name).render(rendering(), { pretty: true });
  if (rendered instanceof Uint8Array) return cells(rendered);
  return fenced(LANGUAGES[name] ?? name, [...rendered].join('').replaceAll('\r\n', '\n').trimEnd());
}

/** Names of languages for Markdown, where they are not those of the formats. */
const LANGUAGES: Readonly<Record<string, string>> = { ndjson: 'json', geojson: 'json', vcf: 'text' };

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** A Markdown table of the two rows of the first sheet, one line for each column. */
function cells(body: Uint8Array): string {
  const [{ rows: [names = [], values = []] } = { rows: [] }] = readWorkbook(Buffer.from(body));
  const lines = names.map(
    (name, at) => `| \`${name ?? ''}\` | ${(values[at] ?? '').replaceAll('|', '\\|').replaceAll('\n', '<br>')} |`,
  );
  return ['| first row | second row |', '| --- | --- |', ...lines].join('\n');
}

/** Replaces the code block or table below each mark of the page by a generated one. */
async function generateExamples(page: string): Promise<string> {
  let text = page;
  for (const name of ['json', 'yaml', 'xml', 'csv', 'python', 'xlsx', 'ndjson', 'vcf', 'geojson']) {
    const mark = `<!-- generated: ${name} -->`;
    const [before = '', rest = ''] = text.split(`${mark}\n`);
    const after = rest.replace(/^\n(?:```[\s\S]*?\n```\n|(?:\|.*\n)+)/, '');
    text = `${before}${mark}\n\n${await example(name)}\n${after}`;
  }
  return text;
}

/** Removes differences in the white space of tables, which prettier formats. */
const normalizeTables = (text: string): string => text.replace(/ +/g, ' ').replace(/-{3,}/g, '---');

describe('docs/formats.md', () => {
  it('shows the output of each renderer for one record (UPDATE_DOCS=1 writes the page)', async () => {
    const page = readFileSync(PAGE, 'utf8');
    const expected = await generateExamples(page);
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(PAGE, expected);
    else expect(normalizeTables(page)).toBe(normalizeTables(expected));
  });

  it('contains every extension and every media type', () => {
    const page = readFileSync(PAGE, 'utf8');
    for (const { extensions, mediaTypes } of formats) {
      for (const word of [...extensions, ...mediaTypes]) expect(page).toContain(word);
    }
  });
});
