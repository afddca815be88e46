import { existsSync, statSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import {
  entriesAt,
  findManifest,
  parseShippedConfig,
  readComposeFile,
  readManifests,
  valueAt,
} from '../support/deploy/deployment-documents.js';
import { readShippedFile } from '../support/deploy/shipped-file.js';

const composeFile = readComposeFile();
const services = entriesAt(composeFile, 'services');
const instances = services.filter(([name]) => name.startsWith('rollcall-'));
const manifests = readManifests();
const deployments = ['rollcall', 'valkey'].map((name) => findManifest('Deployment', name));
const balancer = readShippedFile('deploy/nginx/balancer.conf');
const valkey = readShippedFile('deploy/valkey/valkey.conf');

const inCompose = parseShippedConfig(readShippedFile('deploy/container/rollcall.yaml'));
const inKubernetes = parseShippedConfig(
  String(valueAt(findManifest('ConfigMap', 'rollcall'), 'data', 'rollcall.yaml')),
);
const { port } = inCompose.config.server;
const adminPort = inCompose.config.admin.port;

/** Address of a service in a network of `compose.yaml`. */
const addressOf = (service: unknown, network: string): unknown => valueAt(service, 'networks', network, 'ipv4_address');

/** Names of the networks of a service of `compose.yaml`. */
function networksOf(name: string): string[] {
  const networks = valueAt(composeFile, 'services', name, 'networks');
  return Array.isArray(networks) ? networks.map(String) : entriesAt(networks).map(([network]) => network);
}

const listAt = (document: unknown, ...path: readonly (string | number)[]): string[] =>
  entriesAt(document, ...path).map(([, value]) => String(value));

/** A tag with a complete version, such as `nginx:1.28.2-alpine3.23`. */
const PINNED = /^[\w./-]+:v?\d+\.\d+\.\d+(?:-[\w.-]+)?$/;

describe('deploy/compose.yaml', () => {
  it('starts three instances that differ in their addresses and volumes only', () => {
    expect(instances.map(([name]) => name)).toEqual(['rollcall-1', 'rollcall-2', 'rollcall-3']);
    const equal = new Set(
      instances.map(([, service]) =>
        JSON.stringify(entriesAt(service).filter(([key]) => !['volumes', 'extra_hosts', 'networks'].includes(key))),
      ),
    );
    expect(equal.size).toBe(1);
    for (const [at, [, service]] of instances.entries())
      expect(valueAt(service, 'volumes')).toEqual([
        './container:/etc/rollcall:ro',
        `state-${at + 1}:/var/lib/rollcall`,
      ]);
  });

  it('publishes the balancer, and Grafana to this machine', () => {
    const published = services.flatMap(([name, service]) => listAt(service, 'ports').map((entry) => [name, entry]));
    expect(published).toEqual([
      ['balancer', '80:8080'],
      ['balancer', '443:8443'],
      ['grafana', '127.0.0.1:3000:3000'],
    ]);
    expect(services.filter(([, service]) => valueAt(service, 'network_mode') !== undefined)).toEqual([]);
  });

  it('keeps the balancer away from Valkey and the admin ports', () => {
    expect(networksOf('balancer')).toEqual(['gateway']);
    expect([networksOf('valkey'), networksOf('prometheus')]).toEqual([['memory'], ['monitoring']]);
    for (const network of ['memory', 'monitoring'])
      expect(valueAt(composeFile, 'networks', network, 'internal')).toBe(true);
    for (const [, service] of instances)
      expect(valueAt(service, 'extra_hosts')).toEqual([
        `${inCompose.config.admin.host}:${String(addressOf(service, 'monitoring'))}`,
      ]);
  });

  it('balances over the public ports of all instances, which trust the address of the balancer', () => {
    const [, upstream = ''] = /upstream rollcall \{([^}]*)\}/.exec(balancer) ?? [];
    const servers = [...upstream.matchAll(/^ *server ([\d.:]+) /gm)].map(([, address]) => address);
    expect(servers).toEqual(instances.map(([, service]) => `${String(addressOf(service, 'gateway'))}:${port}`));
    const address = addressOf(valueAt(composeFile, 'services', 'balancer'), 'gateway');
    expect(readShippedFile('deploy/container/rollcall.yaml')).toContain(`trust-proxy: [${String(address)}]`);
  });

  it('scrapes the admin ports of all instances', () => {
    const scraped = load(readShippedFile('deploy/prometheus/prometheus-compose.yaml'));
    expect(listAt(scraped, 'scrape_configs', 0, 'static_configs', 0, 'targets')).toEqual(
      instances.map(([name]) => `${name}:${adminPort}`),
    );
  });

  it('mounts files that exist', () => {
    const mounted = services
      .flatMap(([, service]) => listAt(service, 'volumes'))
      .flatMap((volume) => /^\.\/([^:]+):/.exec(volume)?.[1] ?? []);
    const missing = mounted.filter((file) => !existsSync(new URL(`../../deploy/${file}`, import.meta.url)));
    expect(mounted.length).toBeGreaterThan(8);
    expect(missing).toEqual(['secrets/tls']);
  });

  it.each(['balancer', 'prometheus', 'valkey'])('mounts folders in %s, in which replaced files are visible', (name) => {
    const folders = listAt(valueAt(composeFile, 'services', name), 'volumes')
      .flatMap((volume) => /^\.\/([^:]+):/.exec(volume)?.[1] ?? [])
      .filter((folder) => !folder.startsWith('secrets/'));
    expect(folders).not.toEqual([]);
    for (const folder of folders)
      expect(statSync(new URL(`../../deploy/${folder}`, import.meta.url)).isDirectory()).toBe(true);
  });

  it('starts nginx with the mounted configuration, whose includes are mounted, too', () => {
    const service = valueAt(composeFile, 'services', 'balancer');
    expect(listAt(service, 'command')).toEqual([
      'nginx',
      '-c',
      '/etc/nginx/rollcall/balancer.conf',
      '-g',
      'daemon off;',
    ]);
    expect(listAt(service, 'volumes')).toContain('./nginx:/etc/nginx/rollcall:ro');
    const included = [...balancer.matchAll(/^ *include ([^;]+);/gm)].map(([, file = '']) => file);
    expect(included.length).toBe(2);
    for (const file of included)
      expect(existsSync(new URL(file.replace('/etc/nginx/rollcall/', '../../deploy/nginx/'), import.meta.url))).toBe(
        true,
      );
    const [, webroot = ''] = /acme-challenge\/ \{\s*root ([^;]+);/.exec(balancer) ?? [];
    expect(listAt(service, 'volumes')).toContain(`./acme:${webroot}:ro`);
  });

  it('reads each secret from a file that deploy/create-secrets.sh creates, or from the credentials of a source', () => {
    const script = readShippedFile('deploy/create-secrets.sh');
    const secrets = entriesAt(composeFile, 'secrets');
    for (const [name, secret] of secrets) expect(valueAt(secret, 'file')).toBe(`./secrets/${name}`);
    const created = secrets.map(([name]) => name).filter((name) => script.includes(name));
    expect(secrets.length - created.length).toBe(1);
    expect(readShippedFile('.gitignore').split('\n')).toContain('deploy/secrets/');
  });

  it.each(services)('runs %s without privileges, within a limit of memory, and checks its health', (_, service) => {
    expect(service).toMatchObject({
      restart: 'unless-stopped',
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect(String(valueAt(service, 'user'))).not.toMatch(/^(?:undefined|root|0(?::.*)?)$/);
    expect(valueAt(service, 'mem_limit')).toMatch(/^\d+[mg]$/);
    expect(listAt(service, 'healthcheck', 'test').length).toBeGreaterThan(1);
  });
});

describe('deploy/kubernetes.yaml', () => {
  it('has three instances, of which one at a time is replaced or leaves its machine', () => {
    expect(valueAt(deployments[0], 'spec')).toMatchObject({
      replicas: 3,
      strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
    });
    expect(valueAt(findManifest('PodDisruptionBudget', 'rollcall'), 'spec', 'maxUnavailable')).toBe(1);
    const spread = valueAt(deployments[0], 'spec', 'template', 'spec', 'topologySpreadConstraints');
    expect(JSON.stringify(spread)).toMatch(/kubernetes\.io\/hostname.*topology\.kubernetes\.io\/zone/);
  });

  it('publishes the public port through the Ingress, with TLS, and waits longer than the deadline', () => {
    const ingresses = manifests.filter((manifest) => valueAt(manifest, 'kind') === 'Ingress');
    expect(ingresses.length).toBe(1);
    const [ingress] = ingresses;
    const host = inKubernetes.config.server.name;
    expect(valueAt(ingress, 'spec', 'tls')).toEqual([{ hosts: [host], secretName: 'rollcall-tls' }]);
    expect(entriesAt(ingress, 'spec', 'rules').map(([, rule]) => valueAt(rule, 'host'))).toEqual([host]);
    expect(valueAt(ingress, 'spec', 'rules', 0, 'http', 'paths')).toEqual([
      { path: '/', pathType: 'Prefix', backend: { service: { name: 'rollcall', port: { name: 'http' } } } },
    ]);
    const annotation = (name: string): unknown =>
      valueAt(ingress, 'metadata', 'annotations', `nginx.ingress.kubernetes.io/${name}`);
    const server = readShippedFile('deploy/nginx/rollcall-server.conf');
    expect(server).toContain(`proxy_buffer_size ${String(annotation('proxy-buffer-size'))};`);
    expect(server).toContain(`proxy_connect_timeout ${String(annotation('proxy-connect-timeout'))}s;`);
    expect(server).toContain(`proxy_read_timeout ${String(annotation('proxy-read-timeout'))}s;`);
    expect(server).toContain(`proxy_next_upstream ${String(annotation('proxy-next-upstream'))};`);
  });

  it('lets only the ingress controller reach the public port, and only Prometheus the admin port', () => {
    const found = manifests.filter((manifest) => valueAt(manifest, 'kind') === 'Service');
    expect(found.map((service) => valueAt(service, 'spec', 'type'))).toEqual([undefined, undefined, undefined]);
    expect(valueAt(findManifest('Service', 'rollcall'), 'spec', 'ports')).toEqual([
      { name: 'http', port: 80, targetPort: 'http' },
    ]);
    expect(valueAt(findManifest('Service', 'rollcall-admin'), 'spec', 'clusterIP')).toBe('None');
    const rules = entriesAt(findManifest('NetworkPolicy', 'rollcall'), 'spec', 'ingress').map(([, rule]) => rule);
    const allowed = (namespace: string, port: string): object => ({
      from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } }],
      ports: [{ port }],
    });
    expect(rules).toEqual([allowed('ingress-nginx', 'http'), allowed('monitoring', 'admin')]);
    // Prometheus would scrape an annotated pod twice.
    expect(readShippedFile('deploy/kubernetes.yaml')).not.toContain('prometheus.io/');
  });

  it('starts Valkey on another machine half a minute after its own has failed', () => {
    const tolerations = entriesAt(deployments[1], 'spec', 'template', 'spec', 'tolerations').map(([, one]) => one);
    expect(tolerations).toEqual(
      ['not-ready', 'unreachable'].map((state) => ({
        key: `node.kubernetes.io/${state}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 30,
      })),
    );
  });

  it('leaves Valkey to the instances', () => {
    const policy = valueAt(findManifest('NetworkPolicy', 'valkey'), 'spec');
    expect(policy).toMatchObject({
      podSelector: { matchLabels: { 'app.kubernetes.io/name': 'valkey' } },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ from: [{ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'rollcall' } } }] }],
      egress: [],
    });
    expect(valueAt(deployments[1], 'spec', 'strategy')).toEqual({ type: 'Recreate' });
  });

  it('keeps everything in one namespace, which enforces restricted pods', () => {
    const [namespace, ...others] = manifests;
    expect(valueAt(namespace, 'metadata', 'labels', 'pod-security.kubernetes.io/enforce')).toBe('restricted');
    for (const manifest of others) expect(valueAt(manifest, 'metadata', 'namespace')).toBe('rollcall');
  });

  it.each(deployments)('runs all pods without privileges', (deployment) => {
    const pod = valueAt(deployment, 'spec', 'template', 'spec');
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(valueAt(pod, 'containers', 0)).toMatchObject({
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
    });
    expect(valueAt(pod, 'containers', 0, 'resources', 'limits', 'memory')).toMatch(/^\d+[MG]i$/);
  });
});

describe('both kits', () => {
  it('give all instances one name, one memory and one key, from files', () => {
    expect(inCompose.config.server.name).toBe('rollcall.example.org');
    expect(inKubernetes.config.server.name).toBe(inCompose.config.server.name);
    for (const { config, secrets } of [inCompose, inKubernetes]) {
      expect(config.cache.redis).toMatch(/^redis:\/\/rollcall:[^@]+@valkey:6379\/0$/);
      expect(config.cache.redisKey).toBeDefined();
      expect(secrets.filter((file) => /\/redis-(?:key|password)$/.test(file)).length).toBe(2);
    }
  });

  it('pin each image to an exact version, and Rollcall to the one of this repository', () => {
    const inManifests = deployments.map((deployment) =>
      String(valueAt(deployment, 'spec', 'template', 'spec', 'containers', 0, 'image')),
    );
    const inServices = services.map(([, service]) => String(valueAt(service, 'image')));
    const bases = [...readShippedFile('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image);
    const images = [...inManifests, ...inServices, ...bases];
    expect(images.length).toBe(11);
    expect(images.filter((image) => !PINNED.test(image))).toEqual([]);
    const version = String(valueAt(JSON.parse(readShippedFile('package.json')), 'version'));
    const own = images.filter((image) => /(?:^|\/)rollcall:/.test(image));
    expect(own.every((image) => image.endsWith(`:${version}`))).toBe(true);
    expect(new Set(images.filter((image) => image.startsWith('valkey/'))).size).toBe(1);
  });

  it('start Valkey with one configuration, which leaves a third of the memory to buffers', () => {
    const settings = (text: string): string[] => text.split('\n').filter((line) => /^[^#]/.test(line));
    const mounted = String(valueAt(findManifest('ConfigMap', 'valkey'), 'data', 'valkey.conf'));
    expect(settings(mounted)).toEqual(settings(valkey));
    const [, megabytes] = /^maxmemory (\d+)mb$/m.exec(valkey) ?? [];
    expect(valueAt(composeFile, 'services', 'valkey', 'mem_limit')).toBe(`${Number(megabytes) * 1.5}m`);
    const limit = valueAt(deployments[1], 'spec', 'template', 'spec', 'containers', 0, 'resources', 'limits', 'memory');
    expect(limit).toBe(`${Number(megabytes) * 1.5}Mi`);
  });
});
