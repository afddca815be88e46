import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A folder that is gone when the benchmark ends: what is built, configurations, bodies. */
export interface Workshop {
  readonly folder: string;
  /** The program, built as `npm run build` builds it. */
  readonly program: string;
}

/** Builds the program once, and removes it when the work is done. */
export async function withWorkshop<T>(work: (workshop: Workshop) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-bench-'));
  try {
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const build = ['--project', join(ROOT, 'tsconfig.build.json'), '--outDir', join(folder, 'dist')];
    execFileSync(process.execPath, [compiler, ...build], { stdio: 'inherit' });
    for (const name of ['node_modules', 'package.json']) symlinkSync(join(ROOT, name), join(folder, name));
    return await work({ folder, program: join(folder, 'dist/rollcall.js') });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
