import { noCapability } from '../../model/registration/capability.js';
import type { Capability, DisprovedCapability } from '../../model/registration/capability.js';
import type { Resource } from '../../model/resource.js';
import { formatIsoTimestamp } from '../../text/date.js';
import { showHiddenCharacters } from '../../text/visible-text.js';
import type { SourceActivity } from './source-activity.js';
import type { CapabilityStatus } from './source-status.js';

interface CapabilityInput {
  /** Undefined: the source has none. */
  readonly declared: Capability | undefined;
  readonly disproofs: readonly DisprovedCapability[];
  readonly activity: SourceActivity;
}

export function createCapabilityStatuses(
  resource: Resource,
  { declared = noCapability, disproofs, activity }: CapabilityInput,
): readonly CapabilityStatus[] {
  return listCapabilities(declared).map((capability) => {
    const { uses, checks, lastChecked } = activity.useOf(resource, capability);
    const disproof = disproofs.find((one) => one.capability === capability);
    const verdict = uses === 0 ? 'unused' : checks === 0 ? 'unchecked' : 'consistent';
    return {
      capability,
      verdict: disproof === undefined ? verdict : 'disproved',
      uses,
      checks,
      ...(lastChecked !== undefined && { lastChecked: formatIsoTimestamp(lastChecked) }),
      ...(disproof && { disproof: toDisproofStatus(disproof) }),
    };
  });
}

/** As in the metrics; the search is the filter `q`. */
function listCapabilities({ filters, sort, search, total }: Capability): readonly string[] {
  const names = [...filters, ...(search ? ['q'] : [])].map((name) => `filter ${name}`);
  return [...new Set(names), ...sort.map((name) => `sort ${name}`), ...(total ? ['total'] : [])];
}

function toDisproofStatus({ at, evidence }: DisprovedCapability): NonNullable<CapabilityStatus['disproof']> {
  return {
    at: formatIsoTimestamp(at),
    ...(evidence !== undefined && { evidence: showHiddenCharacters(evidence).slice(0, MAX_EVIDENCE_LENGTH) }),
  };
}

/** In characters: it contains an id of the source. */
const MAX_EVIDENCE_LENGTH = 300;
