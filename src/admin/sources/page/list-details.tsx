import { DataTable } from '../../layout/data-table.js';
import type { VNode } from '../../../html/html.js';
import { SourceText } from '../../../html/source-text.js';
import type {
  CapabilityStatus,
  FindingStatus,
  ListSharingStatus,
  ListStatus,
} from '../../../source/status/source-status.js';
import { formatAge } from '../../../text/relative-time.js';
import { Fact } from './source-facts.js';
import { adviseOn } from '../../../model/reasons.js';
import { formatCount } from './source-problems.js';
import type { NamedList } from './source-problems.js';

export function ListDetails({ name, isFeed, status, capabilities }: NamedList): VNode {
  const { state, summary, lastError, doubt, findings } = status;
  return (
    <>
      <h3>
        <SourceText text={name} />
      </h3>
      <dl class="facts">
        <Fact name="State" text={summary === state ? state : `${state}: ${summary}`} />
        <Fact name="Records" text={describeRecords(status)} />
        {status.verifiedAt !== undefined && (
          <Fact name="Fetched or confirmed" text={`${status.verifiedAt}, ${formatAge((status.age ?? 0) * 1_000)}`} />
        )}
        {status.sharing && <Fact name="Shared" text={describeSharing(status.sharing)} />}
        {status.lastSuccess !== undefined && <Fact name="Last success" text={status.lastSuccess} />}
        <Fact name="Next refresh" text={describeNextRefresh(status)} />
        {lastError && (
          <>
            <Fact name="Last error" text={`${lastError.at}: ${lastError.description} (${lastError.reason})`} />
            {lastError.detail !== undefined && <Fact name="Its cause" text={lastError.detail} />}
            {status.consecutiveFailures > 0 && <Fact name="What to do" text={adviseOn(lastError.reason, isFeed)} />}
          </>
        )}
        {doubt && (
          <Fact
            name="Doubted"
            text={`${formatCount(doubt.records)} records instead of ${formatCount(doubt.trustedRecords)}, since ${doubt.since}; accepted ${doubt.acceptedFrom === undefined ? 'only if it is confirmed' : `from ${doubt.acceptedFrom} on`}`}
          />
        )}
      </dl>
      {capabilities.length > 0 && <Capabilities list={name} capabilities={capabilities} />}
      {findings.length > 0 && <Findings list={name} findings={findings} />}
    </>
  );
}

function describeRecords({ records, recordsChangeInDay: change, recordsHistory }: ListStatus): string {
  if (records === undefined) return 'unknown';
  const trend = change === undefined ? '' : `, ${change > 0 ? '+' : ''}${formatCount(change)} in a day`;
  const history = recordsHistory.slice(0, -1).map((one) => `${formatCount(one.records)} (${one.at})`);
  return `${formatCount(records)}${trend}${history.length > 0 ? `; before: ${history.reverse().join(', ')}` : ''}`;
}

function describeSharing({ agreed, fetchedBy }: ListSharingStatus): string {
  const state = agreed ? 'all instances serve these records' : 'other instances may serve other records';
  return `fetched by ${fetchedBy}; ${state}`;
}

function describeNextRefresh({ isRefreshing, refreshFrom }: ListStatus): string {
  if (isRefreshing) return 'in progress';
  return refreshFrom === undefined ? 'with the next query' : `with the first query from ${refreshFrom} on`;
}

function TextTable({
  rows,
  ...table
}: {
  readonly label: string;
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}): VNode {
  return (
    <DataTable {...table}>
      {rows.map((cells) => (
        <tr>
          {cells.map((cell) => (
            <td>
              <SourceText text={cell} />
            </td>
          ))}
        </tr>
      ))}
    </DataTable>
  );
}

function Capabilities({
  list,
  capabilities,
}: {
  readonly list: string;
  readonly capabilities: readonly CapabilityStatus[];
}): VNode {
  const rows = capabilities.map(({ capability, verdict, uses, checks, lastChecked, disproof }) => [
    capability,
    verdict,
    formatCount(uses),
    checks === 0 ? '0' : `${formatCount(checks)}, the last at ${lastChecked ?? ''}`,
    disproof === undefined ? '' : `${disproof.at}: ${disproof.evidence ?? 'not shown, because it names members data'}`,
  ]);
  const headings = ['capability', 'verdict', 'uses', 'checks passed', 'disproof'];
  return <TextTable label={`Capabilities of ${list}`} headings={headings} rows={rows} />;
}

function Findings({ list, findings }: { readonly list: string; readonly findings: readonly FindingStatus[] }): VNode {
  const rows = findings.map(({ rule, field, count, examples }) => [
    rule,
    field,
    formatCount(count),
    examples.map(({ record, value }) => `${record === '' ? 'a record without a name' : record}: ${value}`).join('; '),
  ]);
  return (
    <TextTable
      label={`Data-quality findings of ${list}`}
      headings={['finding', 'property', 'records', 'examples']}
      rows={rows}
    />
  );
}
