import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The documents of `docs/specification/` that are cited by name and section number. */
export const CITED_DOCUMENTS = ['decisions', 'interfaces', 'operation'] as const;

/** What a repository offers to be cited. */
export interface CitableContent {
  /** Section numbers (`4`, `4.3`, `2.3.1`) by document name. */
  readonly sections: ReadonlyMap<string, ReadonlySet<string>>;
  /** Numbers of the decision records, such as `0015`. */
  readonly records: ReadonlySet<string>;
  /** Paths of all files, relative to the root, with `/` between folders. */
  readonly files: readonly string[];
}

const FOLDERS = ['src', 'test', 'bench', 'docs', 'config', 'deploy'];

/** Reads the headings of the specification, the decision records and the file names below a project root. */
export function readCitableContent(root: string): CitableContent {
  const files = FOLDERS.flatMap((folder) => listFiles(root, folder));
  const rootFiles = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
  return {
    sections: new Map(CITED_DOCUMENTS.map((document) => [document, readSections(root, document)])),
    records: new Set(files.flatMap((file) => /^docs\/decisions\/(\d{4})-/.exec(file)?.[1] ?? [])),
    files: [...files, ...rootFiles],
  };
}

function listFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
    (file) => `${folder}/${file.replaceAll('\\', '/')}`,
  );
}

function readSections(root: string, document: string): ReadonlySet<string> {
  const text = readFileSync(join(root, 'docs/specification', `${document}.md`), 'utf8');
  return new Set([...text.matchAll(/^#{2,4} (\d+(?:\.\d+)*)\.? /gm)].map(([, number = '']) => number));
}

const NUMBER = '\\d+(?:\\.\\d+)*';
const SECTION_CITATION = new RegExp(
  `\\b(${CITED_DOCUMENTS.join('|')}),? (?:sections? )?(${NUMBER}(?:(?:, | and |, and | to )${NUMBER})*)`,
  'g',
);
const RECORD_CITATION = /\bdecision records? (\d{4}(?:(?:, | and )\d{4})*)/g;
const FILE_CITATION = /(?<![\w@./:*<>{}$-])(?:(?:[\w.-]+\/)*[\w-][\w.-]*\.(?:ts|md)|config\/[\w.-]+\.yaml)(?![\w/*])/g;
/** A citation of a document by its file name, which states no section that can be checked. */
const UNCHECKED_CITATION = /\b(?:decisions|interfaces|operation)\.md, sections? \d/g;

/** Every citation in a text that names something that does not exist. */
export function findBrokenCitations(text: string, content: CitableContent): readonly string[] {
  const flat = text.replace(/\s*\n\s*(?:\*|\/\/|#)?\s*/g, ' ');
  return [
    ...[...flat.matchAll(SECTION_CITATION)].flatMap(([, document = '', numbers = '']) =>
      splitNumbers(numbers)
        .filter((number) => content.sections.get(document)?.has(number) !== true)
        .map((number) => `${document} ${number}`),
    ),
    ...[...flat.matchAll(RECORD_CITATION)].flatMap(([, numbers = '']) =>
      splitNumbers(numbers)
        .filter((number) => !content.records.has(number))
        .map((number) => `decision record ${number}`),
    ),
    ...[...flat.matchAll(FILE_CITATION)].map(([file]) => file).filter((file) => !isExistingFile(file, content.files)),
    ...[...flat.matchAll(UNCHECKED_CITATION)].map(([citation]) => citation),
  ];
}

function splitNumbers(numbers: string): readonly string[] {
  return numbers.split(/, and |, | and | to /);
}

/** A file is cited by its path from the root, from `src`, or by its last parts. */
function isExistingFile(cited: string, files: readonly string[]): boolean {
  const path = cited.replace(/^(?:\.\.?\/)+/, '');
  return files.some((file) => file === path || file.endsWith(`/${path}`));
}

/** The comments of a TypeScript source, one below the other. */
export function readComments(source: string): string {
  return [...source.matchAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm)].map(([comment]) => comment).join('\n');
}
