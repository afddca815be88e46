import type { TeamLink } from '../../gateway/links/team-link.js';
import { directoryTeams } from '../../model/resources/directory-teams.js';
import { readRecordTexts, textsOf } from '../answer/record-texts.js';
import type { RecordTexts } from '../answer/record-texts.js';
import type { VNode } from '../../html/html.js';
import { SourceText, toPlainText } from '../../html/source-text.js';
import { useAddress } from '../layout/page-address.js';
import { LinkReasons } from './link-reasons.js';
import { PropertyValues } from './property-table.js';
import { nameOf, readTeamFacts, teamPath } from './team-facts.js';
import type { TeamRecord } from './team-model.js';

interface SameTeamProps {
  readonly record: TeamRecord;
  /** Address of the record of the page as data. */
  readonly whole: string;
}

/** Records of other repositories, each beside this one and never merged with it. */
export function SameTeam({ record, whole }: SameTeamProps): VNode {
  const { links, unsearched, outdated } = record.elsewhere;
  return (
    <section class="panel same" aria-labelledby="same-title">
      <h2 id="same-title">The same team elsewhere</h2>
      {unsearched.length > 0 && (
        <p class="key-state">
          There may be more{links.length > 0 && ', and a link may be wrong'}: not every team of{' '}
          <SourceText text={unsearched.map(({ sourceName }) => sourceName).join(', ')} /> could be searched.
        </p>
      )}
      {outdated.length > 0 && (
        <p class="key-state">
          An earlier copy of <SourceText text={outdated.map(({ sourceName }) => sourceName).join(', ')} /> was searched.
        </p>
      )}
      {links.length === 0 && unsearched.length === 0 && (
        <p class="none">No record of another repository is clearly of the same team.</p>
      )}
      {links.length > 0 && (
        <p class="note">
          {links.length === 1 ? 'This record is' : 'These records are'} probably of the same team. Where they differ, no
          one but the team knows which is right.
        </p>
      )}
      {links.map((link) => (
        <LinkedRecord link={link} record={record} whole={whole} />
      ))}
    </section>
  );
}

function LinkedRecord({ link, record, whole }: { link: TeamLink; record: TeamRecord; whole: string }): VNode {
  const there = readTeamFacts(link.record);
  const address = useAddress();
  return (
    <article class="linked-record">
      <h3>
        <a href={address(teamPath(there.id))}>
          <SourceText text={nameOf(there)} />
        </a>{' '}
        in <SourceText text={there.sourceName} />
      </h3>
      <p>
        Reason: <LinkReasons reasons={link.reasons} />.
      </p>
      <Comparison
        here={record.directory}
        there={readRecordTexts(directoryTeams, link.record)}
        names={[record.facts.sourceName, there.sourceName]}
        differing={new Set(link.disagreements.map(({ property }) => property))}
        whole={whole}
      />
    </article>
  );
}

interface ComparisonProps {
  readonly here: RecordTexts;
  readonly there: RecordTexts;
  readonly names: readonly [here: string, there: string];
  /** Both have the property with different values. */
  readonly differing: ReadonlySet<string>;
  readonly whole: string;
}

/** Say nothing about the team, or are shown by its heading. */
const LEFT_OUT: ReadonlySet<string> = new Set(['source-name']);

/** A row for each property that one of the records has. */
function Comparison({ here, there, names, differing, whole }: ComparisonProps): VNode {
  const properties = [...new Set([...here.keys(), ...there.keys()])].filter((name) => !LEFT_OUT.has(name));
  const title = `Comparison of both records; ${differing.size === 0 ? 'no property differs' : '≠ marks what differs'}`;
  return (
    <div class="scroll" tabindex={0} role="region" aria-label={title}>
      <table class="comparison">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">Property</th>
            {names.map((name) => (
              <th scope="col">
                <SourceText text={name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {properties.map((name) => (
            <tr {...(differing.has(name) && { class: 'differs' })}>
              <th scope="row">
                <code>
                  <SourceText text={name} />
                </code>
                {differing.has(name) && <strong> ≠ differs</strong>}
              </th>
              {[here, there].map((texts, at) => (
                <td data-label={toPlainText(names[at] ?? '')}>
                  {texts.has(name) ? (
                    <PropertyValues name={name} texts={textsOf(texts, name)} whole={whole} />
                  ) : (
                    <span class="none">not stated</span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
