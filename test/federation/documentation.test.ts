import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import type { GatewaySetup } from '../support/gateway/test-gateway.js';
import { GatewayFederation } from './gateway-federation.js';

/** The section of docs/operating.md about gateways as sources of gateways. */
const [section = ''] = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8')
  .split('## Rollcall as a source of Rollcall\n')
  .slice(1);

let federation: GatewayFederation;

beforeEach(() => {
  federation = new GatewayFederation();
});

afterEach(async () => {
  await federation.close();
});

it('docs/operating.md shows working configurations of chained gateways and their actual responses', async () => {
  const setups = [...section.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml = '']) => load(yaml) as GatewaySetup);
  expect(setups).toHaveLength(2);
  await federation.upstream(
    directoryUpstream([{ 'short-team-name': 'Alpha' }, { 'short-team-name': 'Bravo' }]),
    'harbour',
  );
  await federation.upstream(directoryUpstream([{ 'short-team-name': 'Coral' }]), 'lagoon');
  const [coast, continent] = setups;
  if (coast === undefined || continent === undefined) throw new Error('no configurations');
  await federation.start('coast', coast);
  await federation.start('continent', continent);
  const { names, data, headers, via } = await federation.request('continent');
  expect(names).toEqual(['Alpha', 'Bravo', 'Coral']);
  expect(data[0]).toMatchObject({ 'source-name': 'Harbour.Example' });
  const [, shown] = /```text\n([\s\S]*?)```/.exec(section) ?? [];
  expect(shown).toBe(`Source-Status: ${headers.get('source-status') ?? ''}\nVia: ${via ?? ''}\n`);
  const teams = await federation.request('continent', '/data/v1/teams?team=alpha');
  expect(section).toContain(`(\`${String(teams.data[0]?.['id'])}\`)`);
});
