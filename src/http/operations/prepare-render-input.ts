import type { DocumentNode } from '../../model/document-node.js';
import type { Query } from '../../model/query.js';
import { scopeFields } from '../../model/resources/team-scopes.js';
import { createProjector } from '../../projection/record-projector.js';
import type { Projector } from '../../projection/record-projector.js';
import { createScopeProjector } from '../../projection/scope-projector.js';
import { ProjectedRecords } from '../../projection/projected-records.js';
import { showsWholeRecords } from '../../query/vocabulary.js';
import { buildEnvelope } from '../../render/envelope.js';
import { createRenderInput } from '../../render/render-input.js';
import type { FormatInput, RecordItem, RenderInput, ResponseFacts } from '../../render/render-input.js';
import { formats } from '../../render/formats.js';
import { collectKeyring, describeKeyProblems } from '../../source/keys/collect-keyring.js';
import type { KeyProblems, KeyringOptions } from '../../source/keys/collect-keyring.js';
import { KEY_PROPERTY } from '../../source/keys/complete-key-records.js';
import { countTeamsByCountry } from '../render-input/country-counts.js';
import { findFormatByExtension } from '../request/request-target.js';
import type { ListRequest } from './served-resource.js';
import type { Problem } from '../../model/error-catalogue.js';
import type { AnswerWithList, ListResponseContext, ShownList } from './list-response-context.js';
import { createRecordItems } from '../render-input/record-items.js';
import { createResponseFacts, createTableMetadata } from '../render-input/response-facts.js';
import { listTableColumns } from '../render-input/table-columns.js';
import { createPublicItemUrl, createPublicPageUrl } from '../representation/paging-links.js';
import type { UntilDisconnected } from '../representation/waiting-clients.js';
import { getBackend } from './served-resource.js';

interface Preparation extends ListResponseContext {
  readonly answer: AnswerWithList;
  readonly shown: ShownList | undefined;
  readonly facts: ResponseFacts;
}

/** Called once for each rendering, for all clients that wait for the same bytes. */
type CreateParts = (untilDisconnected: UntilDisconnected) => Partial<RenderInput>;

/** With a problem there is no response. */
type PreparedParts = TimedParts | { readonly problem: Problem };

interface TimedParts {
  readonly createParts: CreateParts;
  /** Until when equal records have this content, in milliseconds since 1970. Absent: time does not change it. */
  readonly validUntil?: number;
  /** The content lacks matches, although the list is complete. */
  readonly isPartial?: boolean;
}

const PREPARATIONS: Readonly<
  Record<FormatInput, (preparation: Preparation) => PreparedParts | Promise<PreparedParts>>
> = {
  document: (preparation) => ({ createParts: () => ({ document: createDocument(preparation) }) }),
  table: async (preparation) => {
    const { shown, query, options, answer } = preparation;
    const columns = await (shown?.listColumns() ?? listTableColumns(query, options.rules.vocabulary, answer.list));
    return { createParts: (untilDisconnected) => ({ table: createTable(preparation, columns, untilDisconnected) }) };
  },
  rows: (preparation) => ({
    createParts: (untilDisconnected) => ({ table: createTable(preparation, [], untilDisconnected) }),
  }),
  items: async (preparation) => {
    const problems = showsKeysOnCards(preparation)
      ? await describeKeyProblems(preparation.answer.list.records, getKeyringOptions(preparation))
      : undefined;
    return {
      createParts: (untilDisconnected) => ({ items: untilDisconnected(createItems(preparation, problems)) }),
      ...(problems !== undefined && { validUntil: problems.validUntil }),
    };
  },
  countries: async ({ answer }) => {
    const countries = await countTeamsByCountry(answer.list.mergedList);
    return { createParts: () => ({ countries }), isPartial: countries.uncounted > 0 };
  },
  keyring: async (preparation) => {
    const collected = await collectKeyring(preparation.answer.list.records, getKeyringOptions(preparation));
    if (collected === undefined) return { problem: KEYS_UNAVAILABLE };
    const { keyring, ...facts } = collected;
    return { createParts: () => ({ keyring }), ...facts };
  },
};

/** The keys of a keyring cannot be read at present (decisions 3.17). */
const KEYS_UNAVAILABLE: Problem = {
  kind: 'keys-unavailable',
  message:
    'the keys cannot be read at present, so that the keyring would lack them; scope=pgp has them in other formats',
};

function getKeyringOptions({ query, options }: Preparation): KeyringOptions {
  const { readKeyPackets: readPackets = () => Promise.resolve(undefined) } = getBackend(options, query);
  return { resource: query.resource, readPackets, now: options.clock.now() };
}

/** Cards that show armored keys state the condition of these (decisions 3.16). */
function showsKeysOnCards({ query, responseFormat }: Preparation): boolean {
  const { resource, scope, fields } = query;
  const showsKeys = scope === 'pgp' || scope === 'members';
  return (
    responseFormat.format.showsProfileWithKeys === true &&
    resource.pgpKeyProperties.includes(KEY_PROPERTY) &&
    showsKeys &&
    fields?.includes(KEY_PROPERTY) !== false
  );
}

export interface PreparedInput extends Pick<TimedParts, 'validUntil' | 'isPartial'> {
  /** Called once for all clients that wait for the same bytes. */
  readonly createInput: (untilDisconnected: UntilDisconnected) => RenderInput;
}

/** Prepares only what the requested format reads. `shown` replaces the records. */
export async function prepareRenderInput(
  answer: AnswerWithList,
  context: ListResponseContext,
  shown?: ShownList,
): Promise<PreparedInput | { readonly problem: Problem }> {
  const { options, request, query, responseFormat } = context;
  const createUrl = request.itemId === undefined ? createPublicPageUrl : createPublicItemUrl;
  const facts = createResponseFacts(createUrl(options.publicUrl + request.path, query), query, answer);
  const prepared = await PREPARATIONS[responseFormat.format.input]({ ...context, answer, shown, facts });
  if ('problem' in prepared) return prepared;
  const { createParts, validUntil, isPartial = false } = prepared;
  const shownFacts: ResponseFacts = isPartial ? { ...facts, completeness: 'partial' } : facts;
  return {
    createInput: (untilDisconnected) => createRenderInput({ facts: shownFacts, ...createParts(untilDisconnected) }),
    isPartial,
    ...(validUntil !== undefined && { validUntil }),
  };
}

function createDocument(preparation: Preparation): DocumentNode {
  const { answer, options, request, query, shown } = preparation;
  const [item] = request.itemId === undefined || shown !== undefined ? [] : [...projectRecords(preparation)];
  const data = item ?? shown?.rows ?? projectRecords(preparation);
  if (!query.envelope) return data;
  const { date, total } = answer.list;
  const { access, limit, offset } = query;
  const { incompleteSources: sources } = answer.report;
  const facts = {
    sources,
    access,
    suggestion: shown?.suggestion,
    ...(!date.isPending && date.lastModified !== undefined && { newest: date.lastModified }),
  };
  const paging = request.itemId === undefined ? { limit, offset } : {};
  const envelopeFacts = item === undefined ? { ...facts, total, ...paging } : facts;
  return buildEnvelope(options.servedInterface, query.resource, envelopeFacts, data);
}

function createTable(
  preparation: Preparation,
  columns: readonly string[],
  untilDisconnected: UntilDisconnected,
): RenderInput['table'] {
  const { shown, query, facts } = preparation;
  return {
    name: shown?.name ?? query.resource.path,
    columns,
    // A renderer may read all rows before its first byte is sent: end the rows when no client waits any more.
    rows: untilDisconnected(shown?.rows ?? projectRecords(preparation)),
    metadata: createTableMetadata(facts),
  };
}

function createItems(preparation: Preparation, problems: KeyProblems | undefined): Iterable<RecordItem> {
  const { answer, query, options, request, responseFormat } = preparation;
  const { resource, scope, fields } = query;
  // An address book needs the contact data beside the keys.
  const showsKeysOnProfile = scope === 'pgp' && responseFormat.format.showsProfileWithKeys === true;
  return createRecordItems(answer.list.records, {
    resource,
    project: showsKeysOnProfile ? createProjector(resource, 'members', fields) : createQueryProjector(query),
    listAddress: options.publicUrl === '' ? undefined : options.publicUrl + findListPath(request),
    ...(problems && { keyProblems: problems.byRecord }),
  });
}

/** Without an extension. */
function findListPath({ path, itemId }: ListRequest): string {
  const format = findFormatByExtension(path, formats);
  const extension = format?.extensions.find((one) => path.endsWith(one)) ?? '';
  const bare = path.slice(0, path.length - extension.length);
  return itemId === undefined ? bare : bare.slice(0, bare.lastIndexOf('/'));
}

function projectRecords({ answer, query, options }: Preparation): ProjectedRecords {
  const { access, resource, scope, fields } = query;
  const projectionKey = `${access} ${resource.name} ${scope} ${fields?.join() ?? '*'}`;
  const { recordCache } = getBackend(options, query);
  return new ProjectedRecords(answer.list.records, createQueryProjector(query), (serialization) =>
    recordCache.getOrCreate(`${projectionKey} ${serialization}`, resource.path),
  );
}

export function createQueryProjector({ resource, scope, fields }: Query): Projector {
  return showsWholeRecords(scope)
    ? createProjector(resource, scope, fields)
    : createScopeProjector(resource, scopeFields[scope], fields);
}
