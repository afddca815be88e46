import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo } from '../../support/gateway/demo-gateway.js';
import type { DemoGateway } from '../../support/gateway/demo-gateway.js';
import { startGateway } from '../../support/gateway/test-gateway.js';
import type { GatewaySetup } from '../../support/gateway/test-gateway.js';
import type { KeyReader } from '../../support/gateway/program.js';
import { keyReader } from '../../support/gateway/threads/key-reader.js';
import { notRunnable, programs, run } from '../programs.js';
import type { Program, RunResult } from '../programs.js';

let demo: DemoGateway;
let keys: KeyReader;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-description-'));
  keys = keyReader();
  demo = await startDemo(keys);
});

afterAll(async () => {
  await demo.close();
  keys.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a program that sends requests to this process. */
function runBeside(program: Program, parameters: readonly string[], env: Record<string, string>): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const options = { env: { ...process.env, ...env }, cwd: folder, maxBuffer: 1 << 28 };
    execFile(program.command, parameters, options, (error, stdout, stderr) => {
      if (typeof error?.code === 'string') reject(new Error(notRunnable(program, error)));
      else resolve({ status: error === null ? 0 : (error.code ?? null), stdout, stderr });
    });
  });
}

/** A configuration with everything that the description may contain. */
const GUARDED: GatewaySetup = {
  server: { 'public-url': 'https://irt.example.org', limits: { rate: '100/1m' } },
  access: { clients: [{ name: 'desk', 'key-sha256': '0'.repeat(64), access: 'members' }] },
  sources: { harbour: { directory: 'http://127.0.0.1:9/directory/v1', aggregate: true } },
};

describe('openapi-spec-validator', () => {
  it('finds nothing in the description of the demo', async () => {
    const text = await (await fetch(`${demo.origin}/openapi.json`)).text();
    expect(run(programs.openapiValidator, ['-'], { input: text })).toMatchObject({ status: 0, stderr: '' });
  });

  it('finds nothing in the description of a gateway with credentials, rate limits and an aggregate', async () => {
    const gateway = await startGateway(GUARDED);
    const file = join(folder, 'openapi.json');
    writeFileSync(file, (await gateway.get('/openapi.json')).text);
    await gateway.close();
    expect(run(programs.openapiValidator, [file])).toMatchObject({ status: 0, stderr: '' });
  });
});

/** Checks of Schemathesis that the hooks replace, because OpenAPI cannot state all that the interfaces accept (decisions 2.42). */
const REPLACED_CHECKS = ['negative_data_rejection', 'positive_data_acceptance', 'unsupported_method'];

describe('Schemathesis', () => {
  it('finds no request to the demo whose response differs from the description', async () => {
    const parameters = [
      ['run', `${demo.origin}/openapi.json`],
      // Equal requests in every run.
      ['--seed', '1', '--max-examples', '40', '--generation-database', 'none'],
      ['--phases', 'examples,coverage,fuzzing,stateful', '--mode', 'all'],
      ['--checks', 'all', '--exclude-checks', REPLACED_CHECKS.join()],
      // Generated values rarely match a record, and no schema describes a workbook.
      ['--no-color', '--warnings', 'off'],
    ].flat();
    const { status, stdout } = await runBeside(programs.schemathesis, parameters, {
      SCHEMATHESIS_HOOKS: 'schemathesis_hooks',
      PYTHONPATH: import.meta.dirname,
      PYTHONDONTWRITEBYTECODE: '1',
    });
    expect(stdout).toContain('No issues found');
    expect(status).toBe(0);
  }, 600_000);
});
