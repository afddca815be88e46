import { randomBytes } from 'node:crypto';
import { createSourceSettings, isFile } from '../composition/create-sources.js';
import type { Config, SourceConfig } from '../config/config.js';
import { systemClock } from '../model/clock.js';
import { preview } from '../preview/preview.js';
import type { PreviewReport } from '../preview/preview-report.js';
import { fileTransport } from '../source/client/transport/file-transport.js';
import { createUndiciTransport } from '../source/client/transport/http-transport.js';
import { KeyReader } from '../source/keys/key-reader.js';
import { findSourceOrReport, loadConfigOrReport } from './load-config-or-report.js';
import { formatPreviewReport } from './preview/format-preview-report.js';
import { formatFailures, formatRawEntries } from './preview/format-raw-entries.js';
import { escapeForTerminal } from './command-line/terminal-text.js';
import { readUserAgent } from './user-agent.js';

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
export async function previewSource({ code, file, limit, json, raw }: PreviewCommandOptions): Promise<number> {
  const config = (await loadConfigOrReport(file))?.config;
  if (config === undefined) return 1;
  const source = findSourceOrReport(config, code);
  if (source === undefined) return 1;
  const report = await readSource(source, config, limit);
  const isRead = report.resources.some((resource) => 'received' in resource);
  if (raw) {
    process.stderr.write(formatFailures(report));
    if (isRead) process.stdout.write(formatRawEntries(report));
  } else if (json) process.stdout.write(`${escapeForTerminal(JSON.stringify(report, undefined, 2), true)}\n`);
  else process.stdout.write(formatPreviewReport(report, chooseWidth()));
  return isRead ? 0 : EXIT_UNREADABLE;
}

async function readSource(source: SourceConfig, config: Config, limit: number): Promise<PreviewReport> {
  const client = createUndiciTransport(await readUserAgent(config));
  const keyReader = new KeyReader();
  try {
    return await preview({
      registration: createSourceSettings(source, config, 'public'),
      transport: isFile(source) ? fileTransport : client.transport,
      credential: source.credentials.public,
      connection: source.connection,
      headers: source.headers,
      clock: systemClock,
      timeout: source.timeout,
      maxBody: source.maxBody,
      name: config.server.name ?? `rollcall-${randomBytes(4).toString('hex')}`,
      keyReader,
      limit,
      signal: new AbortController().signal,
    });
  } finally {
    keyReader.close();
    await client.close();
  }
}

/** The upper bound where the output is no terminal. */
function chooseWidth(): number {
  const columns = process.stdout.isTTY ? process.stdout.columns : WIDTH.max;
  return Math.min(WIDTH.max, Math.max(WIDTH.min, columns));
}
