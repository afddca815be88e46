import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { closeDataGateways, startDataGateway } from '../support/gateway/data-gateway.js';
import { ACCESS, MEMBERS_KEY } from '../support/gateway/members-gateway.js';
import { membersUpstream } from '../support/upstream/members-upstream.js';
import { programs, run } from './programs.js';

const PAGE = new URL('../../docs/access.md', import.meta.url);

const TOKEN = 'token-of-this-gateway';
const PUBLIC_TEAMS = [{ id: 'alpha', team: 'ALPHA' }];
const MEMBERS_TEAMS = [...PUBLIC_TEAMS, { id: 'gamma', team: 'GAMMA' }];

afterEach(closeDataGateways);

/** Starts a gateway in this process, which must not block while another program queries it. */
async function startMembersGateway(): Promise<string> {
  const authorization = `Bearer ${TOKEN}`;
  const handler = membersUpstream({ teams: PUBLIC_TEAMS }, { authorization, teams: MEMBERS_TEAMS }, { keys: 'pgp' });
  const registration = { 'source-name': 'First', credentials: { members: { bearer: TOKEN } } };
  const { gateway } = await startDataGateway({ first: { records: {}, handler, registration } }, { access: ACCESS });
  return gateway.origin;
}

interface ProgramOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the Python program of the page. */
async function runPython(key: string): Promise<ProgramOutput> {
  const script = /```python\n([^]*?)\n```/.exec(readFileSync(PAGE, 'utf8'))?.[1] ?? '';
  const env = { ROLLCALL_URL: await startMembersGateway(), ROLLCALL_KEY: key };
  return promisify(execFile)(programs.python.command, ['-c', script], { env });
}

/** Runs the first curl command of the page, with the address of a gateway in place of the one in the example. */
async function runCurl(key: string): Promise<ProgramOutput> {
  const command = /^curl .*$/m.exec(readFileSync(PAGE, 'utf8'))?.[0] ?? '';
  const local = command.replace('https://rollcall.example.org', await startMembersGateway());
  const env = { PATH: process.env['PATH'], ROLLCALL_KEY: key };
  return promisify(execFile)('/bin/sh', ['-c', local], { env });
}

it('the curl command of docs/access.md prints the teams that a member sees', async () => {
  expect(run(programs.curl, programs.curl.version).status).toBe(0);
  expect(JSON.parse((await runCurl(MEMBERS_KEY)).stdout)).toMatchObject({ access: 'members' });
  expect(JSON.parse((await runCurl('unknown')).stdout)).toMatchObject({ 'status-code': 401 });
});

it('the Python program of docs/access.md prints the teams that a member sees', async () => {
  expect(await runPython(MEMBERS_KEY)).toEqual({
    stdout: 'ALPHA First\nGAMMA First\n',
    stderr: 'first;state=fresh;records=2;age=0\n',
  });
});

it('the Python program of docs/access.md fails with an unknown key', async () => {
  await expect(runPython('unknown')).rejects.toThrow('HTTP Error 401: Unauthorized');
});
