import type { SharingStatus } from '../../../admin/sources/sharing-status.js';
import type { SourcesReport } from '../../../admin/sources/reported-source.js';
import { ACCESS_LEVELS } from '../../../model/access-level.js';
import { REASON_DESCRIPTIONS, STATE_DESCRIPTIONS } from '../../../model/outcome-description.js';
import { servedFormats } from '../../../model/resources/served-formats.js';
import type {
  CapabilityStatus,
  CertificateStatus,
  FindingStatus,
  ListErrorStatus,
  ListSharingStatus,
  ListState,
  ListStatus,
  RecordsAt,
  RequestStatus,
  ResourceStatus,
  ShrinkDoubtStatus,
  SourceCondition,
  SourceKind,
  SourceLevelStatus,
  SourceStatus,
} from '../../../source/status/source-status.js';
import { DISAGREEMENT_REASONS } from '../../../state/sharing/instance-agreement.js';
import { keyOf, listOf, mapOf, objectOf, oneOf, parseBoolean, parseNumber, parseText } from './message-parser.js';
import type { FieldReader, ValueParser } from './message-parser.js';

const parseAccess = oneOf(ACCESS_LEVELS);
const parseReason = keyOf(REASON_DESCRIPTIONS);
const parseServed = keyOf(STATE_DESCRIPTIONS);
const parseResource = keyOf(servedFormats);
const parseCondition = keyOf<SourceCondition>({ ok: true, unknown: true, warning: true, failed: true });
const parseKind = keyOf<SourceKind>({ interfaces: true, document: true, feeds: true });
const parseVerdict = keyOf<CapabilityStatus['verdict']>({
  unused: true,
  unchecked: true,
  consistent: true,
  disproved: true,
});
const parseState = keyOf<ListState>({
  fresh: true,
  stale: true,
  expired: true,
  none: true,
  rejected: true,
  excluded: true,
  suspended: true,
  large: true,
});

const parseCertificate: ValueParser<CertificateStatus> = objectOf((fields) => ({
  origin: fields.get('origin', parseText),
  validUntil: fields.get('validUntil', parseText),
  daysLeft: fields.get('daysLeft', parseNumber),
  issuer: fields.get('issuer', parseText),
}));

const parseRequests: ValueParser<RequestStatus> = objectOf((fields) => ({
  sent: fields.get('sent', parseNumber),
  failures: Object.fromEntries(fields.get('failures', mapOf(parseNumber))),
}));

const parseRecordsAt: ValueParser<RecordsAt> = objectOf((fields) => ({
  at: fields.get('at', parseText),
  records: fields.get('records', parseNumber),
}));

const parseListError: ValueParser<ListErrorStatus> = objectOf((fields) => ({
  at: fields.get('at', parseText),
  reason: fields.get('reason', parseReason),
  description: fields.get('description', parseText),
  ...fields.optional('detail', parseText),
}));

const parseDoubt: ValueParser<ShrinkDoubtStatus> = objectOf((fields) => ({
  records: fields.get('records', parseNumber),
  trustedRecords: fields.get('trustedRecords', parseNumber),
  since: fields.get('since', parseText),
  ...fields.optional('acceptedFrom', parseText),
}));

const parseListSharing: ValueParser<ListSharingStatus> = objectOf((fields) => ({
  agreed: fields.get('agreed', parseBoolean),
  fetchedBy: fields.get('fetchedBy', oneOf(['this instance', 'another instance'])),
}));

const parseFinding: ValueParser<FindingStatus> = objectOf((fields) => ({
  rule: fields.get('rule', parseText),
  field: fields.get('field', parseText),
  count: fields.get('count', parseNumber),
  examples: fields.get(
    'examples',
    listOf(
      objectOf((example) => ({ record: example.get('record', parseText), value: example.get('value', parseText) })),
    ),
  ),
}));

const parseCapability: ValueParser<CapabilityStatus> = objectOf((fields) => ({
  capability: fields.get('capability', parseText),
  verdict: fields.get('verdict', parseVerdict),
  uses: fields.get('uses', parseNumber),
  checks: fields.get('checks', parseNumber),
  ...fields.optional('lastChecked', parseText),
  ...fields.optional(
    'disproof',
    objectOf((disproof) => ({ at: disproof.get('at', parseText), ...disproof.optional('evidence', parseText) })),
  ),
}));

function readList(fields: FieldReader): ListStatus {
  return {
    state: fields.get('state', parseState),
    condition: fields.get('condition', parseCondition),
    summary: fields.get('summary', parseText),
    ...fields.optional('served', parseServed),
    ...fields.optional('records', parseNumber),
    ...fields.optional('recordsChangeInDay', parseNumber),
    recordsHistory: fields.get('recordsHistory', listOf(parseRecordsAt)),
    ...fields.optional('verifiedAt', parseText),
    ...fields.optional('age', parseNumber),
    ...fields.optional('refreshFrom', parseText),
    isRefreshing: fields.get('isRefreshing', parseBoolean),
    ...fields.optional('sharing', parseListSharing),
    ...fields.optional('lastSuccess', parseText),
    ...fields.optional('lastError', parseListError),
    consecutiveFailures: fields.get('consecutiveFailures', parseNumber),
    ...fields.optional('doubt', parseDoubt),
    findings: fields.get('findings', listOf(parseFinding)),
  };
}

const parseResourceStatus: ValueParser<ResourceStatus> = objectOf((fields) => ({
  resource: fields.get('resource', parseResource),
  ...fields.optional('feed', parseText),
  ...readList(fields),
  capabilities: fields.get('capabilities', listOf(parseCapability)),
  ...fields.optional('keys', objectOf(readList)),
}));

const parseLevel: ValueParser<SourceLevelStatus> = objectOf((fields) => ({
  access: fields.get('access', parseAccess),
  requestedAs: fields.get('requestedAs', parseAccess),
  condition: fields.get('condition', parseCondition),
  ...fields.optional(
    'suspension',
    objectOf((suspension) => ({
      since: suspension.get('since', parseText),
      trialFrom: suspension.get('trialFrom', parseText),
    })),
  ),
  requests: fields.get('requests', parseRequests),
  resources: fields.get('resources', listOf(parseResourceStatus)),
}));

const parseSource: ValueParser<SourceStatus> = objectOf((fields) => ({
  code: fields.get('code', parseText),
  number: fields.get('number', parseNumber),
  sourceName: fields.get('sourceName', parseText),
  kind: fields.get('kind', parseKind),
  required: fields.get('required', parseBoolean),
  aggregate: fields.get('aggregate', parseBoolean),
  addresses: fields.get('addresses', listOf(parseText)),
  certificates: fields.get('certificates', listOf(parseCertificate)),
  condition: fields.get('condition', parseCondition),
  levels: fields.get('levels', listOf(parseLevel)),
}));

const parseSharing: ValueParser<SharingStatus> = objectOf((fields) => ({
  inAgreement: fields.get('inAgreement', parseBoolean),
  since: fields.get('since', parseText),
  ...fields.optional('reason', oneOf(DISAGREEMENT_REASONS)),
  description: fields.get('description', parseText),
  ...fields.optional('clockAhead', parseNumber),
  ...fields.optional(
    'lastError',
    objectOf((error) => ({ at: error.get('at', parseText), message: error.get('message', parseText) })),
  ),
}));

/** Reads what `/sources` of one worker reports (operation 3.5). */
export const parseSourcesReport: ValueParser<SourcesReport> = objectOf((report) => ({
  ...report.optional(
    'unsavedSnapshots',
    objectOf((fields) => ({
      since: fields.get('since', parseText),
      lists: fields.get('lists', parseNumber),
      error: fields.get('error', parseText),
    })),
  ),
  ...report.optional('sharing', parseSharing),
  sources: report.get('sources', listOf(parseSource)),
}));
