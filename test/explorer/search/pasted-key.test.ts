import { afterEach, expect, it } from 'vitest';
import { closePageGateways, startPageGateway, textOf } from '../../support/gateway/page-gateway.js';
import { openpgpKeys } from '../../support/openpgp-keys.js';

afterEach(closePageGateways);

const [alpha] = openpgpKeys;
if (alpha === undefined) throw new Error('no keys');

const TEAMS = [{ 'short-team-name': 'Acorn', enckeys: [alpha.fingerprint] }, { 'short-team-name': 'Birch' }];

it('finds who states a key by the key itself and by each notation of its fingerprint', async () => {
  const pages = await startPageGateway({ harbour: { teams: TEAMS } });
  const { fingerprint, armored } = alpha;
  const grouped = fingerprint.match(/.{4}/g)?.join(' ') ?? '';
  for (const text of [
    armored,
    fingerprint,
    `0x${fingerprint.toLowerCase()}`,
    grouped,
    `Key fingerprint = ${grouped}`,
  ]) {
    const { teams } = await pages.page(`/?q=${encodeURIComponent(text)}`);
    expect([text, teams]).toEqual([text, ['harbour.acorn']]);
  }
});

it('refuses a secret key, and searches nothing', async () => {
  const pages = await startPageGateway({ harbour: { teams: TEAMS } });
  const secret = alpha.armored.replaceAll('PUBLIC', 'PRIVATE');
  const page = await pages.page(`/?q=${encodeURIComponent(secret)}`);
  expect(page.status).toBe(400);
  expect(textOf(page.part('notice'))).toContain('q has a secret key, which nobody but its owner may have');
});
