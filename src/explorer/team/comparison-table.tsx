import { compareRecords } from '../../gateway/links/compare-records.js';
import type { ComparedProperty, ComparedValue } from '../../gateway/links/compare-records.js';
import type { VNode } from '../../html/html.js';
import { SourceText, toPlainText } from '../../html/source-text.js';
import { groupFingerprint, parseFingerprint } from '../../identifiers/key-id.js';
import { directoryTeams } from '../../model/resources/directory-teams.js';
import { parseCountryCode } from '../../region/country.js';
import { useAddress } from '../layout/page-address.js';
import { LongText } from '../layout/long-text.js';
import { EmailLink, PhoneNumber, SourceLink } from '../layout/source-link.js';
import { labelOf, sortForReading } from './property-labels.js';
import { MAX_ITEMS, countryName, nameOf, teamPath } from './team-facts.js';
import type { TeamRecord } from './team-model.js';

interface ComparisonTableProps {
  readonly records: readonly TeamRecord[];
  /** Address of a record as data. */
  readonly findAddress: (record: TeamRecord) => string;
}

/** A column for each record and a row for each property, in the words of each repository. */
export function ComparisonTable({ records, findAddress }: ComparisonTableProps): VNode {
  const address = useAddress();
  const rows = sortForReading(compareRecords(records.map(({ values }) => values)));
  const title =
    records.length === 1 ? 'All that the repository states' : `${records.length} records; contradictions are marked ≠`;
  return (
    <div class="scroll" tabindex={0} role="region" aria-label={title}>
      <table class="comparison">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">Property</th>
            {records.map(({ facts }, at) => (
              <th scope="col">
                <SourceText text={facts.sourceName} />
                {at > 0 && (
                  <a class="also" href={address(teamPath(facts.id))}>
                    <SourceText text={nameOf(facts)} max={60} />
                  </a>
                )}
                <span class="note">
                  <SourceText text={facts.modified || 'undated'} max={60} />
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row row={row} records={records} findAddress={findAddress} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row, records, findAddress }: ComparisonTableProps & { readonly row: ComparedProperty }): VNode {
  const { property, agreement, isSpeltAlike, values } = row;
  const isSaidOnce = isSpeltAlike && values.every(({ length }) => length > 0);
  const isContradiction = agreement === 'contradict';
  const isMixed = records.length > 2 && (isContradiction || agreement === 'differ');
  const shown = isSaidOnce ? records.slice(0, 1) : records;
  return (
    <tr {...(isContradiction && { class: 'differs' })}>
      <th scope="row">
        {labelOf(property)}{' '}
        <code>
          <SourceText text={property} />
        </code>
        {isContradiction && <strong> ≠ contradiction</strong>}
        {records.length > 1 && !isContradiction && <span class="note"> {describeAgreement(row)}</span>}
      </th>
      {shown.map((record, at) => {
        const items = values[at] ?? [];
        const absence = items.length === 0 ? describeAbsence(property, record) : undefined;
        return (
          <td
            {...(absence === ABSENT && { class: 'absent' })}
            {...(isSaidOnce ? { colspan: records.length } : { 'data-label': toPlainText(record.facts.sourceName) })}
          >
            {absence !== undefined && <span class="none">{absence}</span>}
            <Values
              property={property}
              items={items}
              of={isMixed ? records.length : undefined}
              whole={findAddress(record)}
            />
          </td>
        );
      })}
    </tr>
  );
}

function describeAgreement({ agreement, isSpeltAlike, values }: ComparedProperty): string {
  const stating = values.filter(({ length }) => length > 0).length;
  if (agreement === 'differ') return 'differs';
  if (agreement === 'alone') return 'only one states it';
  const who = stating < values.length ? `${stating} of ${values.length} state it` : `all ${stating} state it`;
  return isSpeltAlike ? who : `${who}, spelt differently`;
}

const OF_DIRECTORY: ReadonlySet<string> = new Set(directoryTeams.properties.map(({ name }) => name));

const ABSENT = 'not stated';

/** What a repository could not be asked for is not absent. */
function describeAbsence(property: string, { keyState, hasData }: TeamRecord): string {
  const isKey = property === 'enckeys';
  if (keyState === 'missing' && (isKey || !(hasData || OF_DIRECTORY.has(property)))) return 'could not be asked';
  return isKey && keyState === 'hidden' ? 'not public here' : ABSENT;
}

interface ValuesProps {
  readonly property: string;
  readonly items: readonly ComparedValue[];
  /** Number of records, where each value says how many of them state it. */
  readonly of: number | undefined;
  /** Address of the whole record. */
  readonly whole: string;
}

function Values({ property, items, of, whole }: ValuesProps): VNode {
  return (
    <ul>
      {items.slice(0, MAX_ITEMS).map(({ text, holders }) => (
        <li>
          <Value property={property} text={text} whole={whole} />
          {of !== undefined && (
            <span class="note"> {holders === 1 ? 'only here' : `${holders} of ${of} state it`}</span>
          )}
        </li>
      ))}
      {items.length > MAX_ITEMS && (
        <li>
          … <a href={whole}>({items.length - MAX_ITEMS} more: see the whole record)</a>
        </li>
      )}
    </ul>
  );
}

function Value({ property, text, whole }: { property: string; text: string; whole: string }): VNode {
  const fingerprint = property === 'enckeys' ? parseFingerprint(text) : undefined;
  if (fingerprint !== undefined) return <span class="fingerprint">{groupFingerprint(fingerprint)}</span>;
  if (property === 'website') return <SourceLink address={text} />;
  if (property === 'email') return <EmailLink address={text} />;
  if (property.startsWith('phone-')) return <PhoneNumber phone={text} />;
  return (
    <span class="lines">
      <LongText text={text} whole={whole} />
      {property.includes('country') && parseCountryCode(text) !== undefined && ` (${countryName(text)})`}
    </span>
  );
}
