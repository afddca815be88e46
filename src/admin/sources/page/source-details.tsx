import type { VNode } from '../../../html/html.js';
import { SourceText } from '../../../html/source-text.js';
import type { CertificateStatus, SourceLevelStatus, SourceStatus } from '../../../source/status/source-status.js';
import { ListDetails } from './list-details.js';
import { formatCount, listNamedLists } from './source-problems.js';
import { SourceActions } from './source-commands.js';
import { Fact } from './source-facts.js';

interface SourceDetailsProps {
  readonly source: SourceStatus;
  readonly label: string;
  readonly actionsAt: string | undefined;
}

/** A link to the id of the source opens it. */
export function SourceDetails({ source, label, actionsAt }: SourceDetailsProps): VNode {
  const { code, number, sourceName, kind, addresses, certificates, levels } = source;
  return (
    <details>
      <summary>
        <strong>
          <SourceText text={sourceName} max={200} />
        </strong>{' '}
        ({code}): {label}
      </summary>
      <div id={`source-${code}`}>
        <dl class="facts">
          <dt>Number</dt>
          <dd>{number}</dd>
          <dt>Addresses</dt>
          {addresses.map((address) => (
            <dd>
              <SourceText text={address} />
            </dd>
          ))}
          {source.required && <Fact name="Required" text="yes: without it there is no list" />}
          {source.aggregate && <Fact name="Aggregate" text="yes: it is itself a gateway" />}
          {certificates.map((certificate) => (
            <Certificate {...certificate} />
          ))}
          {levels.map((level) => (
            <LevelFacts level={level} />
          ))}
        </dl>
        {levels.flatMap(listNamedLists).map((list) => (
          <ListDetails {...list} />
        ))}
        <SourceActions code={code} kind={kind} actionsAt={actionsAt} isDoubted={levels.some(isDoubted)} />
      </div>
    </details>
  );
}

function isDoubted(level: SourceLevelStatus): boolean {
  return listNamedLists(level).some(({ status }) => status.doubt !== undefined);
}

function Certificate({ origin, validUntil, daysLeft, issuer }: CertificateStatus): VNode {
  const by = issuer === '' ? '' : `, issued by ${issuer}`;
  return <Fact name="Certificate" text={`${origin}: until ${validUntil} (${daysLeft} days)${by}`} />;
}

function LevelFacts({ level: { access, requestedAs, requests, suspension } }: { level: SourceLevelStatus }): VNode {
  const suffix = access === 'members' ? ` (members, with the ${requestedAs} credential)` : '';
  const failures = Object.entries(requests.failures).map(([reason, count]) => `${reason} ${formatCount(count)}`);
  return (
    <>
      <Fact
        name={`Requests${suffix}`}
        text={`${formatCount(requests.sent)}${failures.length > 0 ? `; failed: ${failures.join(', ')}` : ''}`}
      />
      {suspension && (
        <Fact
          name={`Suspended${suffix}`}
          text={`since ${suspension.since}; from ${suspension.trialFrom} on, a query causes a trial request`}
        />
      )}
    </>
  );
}
