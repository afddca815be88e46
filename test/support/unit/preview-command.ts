import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { main } from '../../../src/cli/main.js';
import { startUpstream } from '../upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../upstream/upstream-server.js';

/** A source to be previewed, and its server. */
export interface PreviewScene {
  readonly upstream: UpstreamServer;
  /** Path of the configuration file. */
  readonly file: string;
  /** Runs `rollcall preview one` with these options. */
  readonly preview: (...options: readonly string[]) => Promise<PrintedOutput>;
  readonly close: () => Promise<void>;
}

/** What a command printed, and its exit code. */
export interface PrintedOutput {
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
}

/** Starts a server, and registers it as the source `one`; `source` gets the address of the server. */
export async function startPreviewScene(
  handler: RequestHandler,
  source: (address: string) => object,
): Promise<PreviewScene> {
  const upstream = await startUpstream(handler);
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-preview-'));
  const file = join(folder, 'rollcall.yaml');
  const one = { number: 1, 'source-name': 'Example List', ...source(upstream.address) };
  await writeFile(file, JSON.stringify({ sources: { one } }));
  return {
    upstream,
    file,
    preview: (...options) => runCommand(['preview', 'one', '--config', file, ...options]),
    close: async () => {
      await Promise.all([upstream.close(), rm(folder, { recursive: true })]);
    },
  };
}

/** Runs a command line, and returns what it printed. */
export async function runCommand(words: readonly string[]): Promise<PrintedOutput> {
  const printed = { out: '', err: '' };
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((printed.out += String(text)), true));
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((printed.err += String(text)), true));
  try {
    return { code: await main(words), ...printed };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}
