import { createExaminationOptions } from '../composition/examination-options.js';
import { preview } from '../preview/preview.js';
import { KeyReader } from '../source/keys/key-reader.js';
import { escapeForTerminal } from './command-line/terminal-text.js';
import { examineSource } from './query-registered-source.js';
import { formatPreviewReport } from './preview/format-preview-report.js';
import { formatFailures, formatRawEntries } from './preview/format-raw-entries.js';

interface PreviewCommandOptions {
  readonly code: string;
  readonly file: string;
  readonly limit: number;
  readonly json: boolean;
  /** Print the entries as received, instead of the report. */
  readonly raw: boolean;
}

const EXIT_UNREADABLE = 2;

const WIDTH = { min: 80, max: 100 };

/**
 * Reads the first page of a source, and prints what becomes of its entries. Returns the exit code: 0 if a resource was
 * read, 1 if the configuration has errors or no source has the code, 2 if the source could not be read.
 */
export function printPreview({ code, file, limit, json, raw }: PreviewCommandOptions): Promise<number> {
  return examineSource(file, code, async ({ source, config, transport }) => {
    const keyReader = new KeyReader();
    try {
      const report = await preview({ ...createExaminationOptions(source, config, { transport }), keyReader, limit });
      const isRead = report.resources.some((resource) => 'received' in resource);
      if (raw) {
        process.stderr.write(formatFailures(report));
        if (isRead) process.stdout.write(formatRawEntries(report));
      } else if (json) process.stdout.write(`${escapeForTerminal(JSON.stringify(report, undefined, 2), true)}\n`);
      else process.stdout.write(formatPreviewReport(report, chooseWidth()));
      return isRead ? 0 : EXIT_UNREADABLE;
    } finally {
      keyReader.close();
    }
  });
}

/** The upper bound where the output is no terminal. */
function chooseWidth(): number {
  const columns = process.stdout.isTTY ? process.stdout.columns : WIDTH.max;
  return Math.min(WIDTH.max, Math.max(WIDTH.min, columns));
}
