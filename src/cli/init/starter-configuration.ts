import type { RecognisedAddress, RecognisedList, RecognisedPaging } from './recognise-address.js';

/** A configuration with one source, or with a public one to begin with; `file` is named in its commands. */
export function formatConfiguration(file: string, registration: string | undefined): string {
  return `# Configuration of Rollcall. All settings: docs/configuration.md; how sources are registered: docs/sources.md
# rollcall check --config ${file}
# rollcall serve --config ${file}

server:
  port: 8080 # the interfaces and the pages, at http://127.0.0.1:8080/
  # host: 0.0.0.0 # for other machines; by default for this one only

admin:
  port: 9090 # for the operator: http://127.0.0.1:9090/sources, /config, /explain, /metrics

# cache:
#   disk: var/snapshots # lists survive a restart, even while their sources are down

sources: # a code for each; its number is permanent, because it is part of ids
${registration ?? FIRST}`;
}

const FIRST = `  first:
    number: 1
    source-name: FIRST.Org
    data: https://api.first.org/data/v1
    resources: [teams]
`;

/** Below `sources`. `name` is that of the host without parts that say nothing. */
export function formatRegistration(url: URL, found: RecognisedAddress): string {
  const name = nameSource(url);
  const code =
    name
      .toLowerCase()
      .replace(/[^a-z\d-]/g, '')
      .replace(/^[^a-z]+/, '') || 'source';
  const head = `  ${code}:\n    number: 1\n    source-name: ${quote(url.hostname)} # the name of the publisher\n`;
  switch (found.kind) {
    case 'interface':
      return `${head}    ${found.name}: ${quote(found.baseUrl)}\n${found.isAggregate ? AGGREGATE : ''}`;
    case 'feeds':
      return found.urls.length === 1
        ? `${head}    feed: ${quote(found.urls[0] ?? '')}\n`
        : `${head}    feed:\n${found.urls.map((one) => `      - ${quote(one)}\n`).join('')}`;
    case 'list':
      return `${head}    document:\n${formatDocument(url, found)
        .map((line) => `      ${line}\n`)
        .join('')}`;
  }
}

const AGGREGATE = `    aggregate: true # another Rollcall: its records keep the source-names of their repositories
#   prefixes: [] # codes of its sources whose properties are shown: docs/sources.md#another-rollcall
`;

function formatDocument(url: URL, { format, records, paging, mapping }: RecognisedList): readonly string[] {
  const unknown = [
    '# no property was recognised: write an expression for each; a name of the team is required',
    'short-team-name: name',
  ];
  const map =
    mapping.map.size === 0 ? unknown : Array.from(mapping.map, ([name, expression]) => `${name}: ${quote(expression)}`);
  const { unused } = mapping;
  return [
    `url: ${quote(withoutPageParameter(url, paging))}`,
    ...(format === undefined ? [] : [`format: ${format}`]),
    ...(mapping.resource === undefined ? [] : [`resource: ${mapping.resource}`]),
    ...(records === undefined ? [] : [`records: ${quote(records)}`]),
    ...formatPaging(paging),
    'map: # property: expression over one entry; check each',
    ...map.map((line) => `  ${line}`),
    ...(unused.length === 0
      ? []
      : [`# entries also have: ${unused.slice(0, MAX_UNUSED).join(', ')}${unused.length > MAX_UNUSED ? ', …' : ''}`]),
  ];
}

/** Places named in the comment. */
const MAX_UNUSED = 12;

function formatPaging(paging: RecognisedPaging): readonly string[] {
  switch (paging.kind) {
    case 'none':
      return [];
    case 'header':
      return ['# further pages: by the field Link of the response'];
    case 'next':
      return [`next: ${quote(paging.expression)}`];
    case 'parameter': {
      const step = paging.step === 1 ? '' : `, step: ${paging.step}`;
      return [`page: { parameter: ${paging.parameter}, from: ${paging.from}${step} }`];
    }
    case 'unclear':
      return [`# ${paging.place} says that there are further pages: docs/sources.md#several-pages`];
  }
}

function withoutPageParameter(url: URL, paging: RecognisedPaging): string {
  const rest = new URL(url);
  if (paging.kind === 'parameter') rest.searchParams.delete(paging.parameter);
  rest.hash = '';
  return rest.href;
}

/** Labels of hosts that do not name the publisher. */
const GENERAL_LABELS = /^(?:www\d?|api|feeds?|rss|lists?|data|download|static|raw|cdn|localhost|\d+)$/;

function nameSource({ hostname }: URL): string {
  return (
    hostname.split('.').find((label, at, labels) => at < labels.length - 1 && !GENERAL_LABELS.test(label)) ?? 'source'
  );
}

/** As YAML, where the plain text would mean something else. Only an address may have what looks like a variable. */
function quote(value: string): string {
  const text = value.replaceAll('${', '%24%7B');
  const isPlain =
    /^[A-Za-z][\w.()/:?=%~+-]*$/.test(text) && !/: |:$|^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isPlain ? text : `'${text.replaceAll("'", "''")}'`;
}

/** For the operator, in one sentence. */
export function describeAddress(found: RecognisedAddress): string {
  switch (found.kind) {
    case 'interface':
      return `the ${found.name} interface`;
    case 'feeds':
      return found.description;
    case 'list':
      return `${found.description}${found.mapping.map.size === 0 ? '' : `, read as ${found.mapping.resource ?? 'teams'}`}`;
  }
}
