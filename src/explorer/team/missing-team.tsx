import type { ErrorKind } from '../../model/error-catalogue.js';
import type { StoredRecord } from '../../model/record.js';
import type { PageAnswer } from '../answer/answer-query.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import { useAddress } from '../layout/page-address.js';
import { TeamList } from '../search/team-list.js';

interface MissingTeamDescription {
  readonly title: string;
  readonly text: string;
  /** The repository could not be asked, so that nothing is known of the team. */
  readonly isFailure: boolean;
}

const DESCRIPTIONS: Partial<Readonly<Record<ErrorKind, MissingTeamDescription>>> = {
  'multiple-choices': {
    title: 'Several teams may be meant',
    text: 'The repository has more than one team that could have this address. Choose one; they are different teams.',
    isFailure: false,
  },
  'not-found': {
    title: 'No team has this address',
    text: 'The team may have ended or have another address now, or the address may have been mistyped: search for it.',
    isFailure: false,
  },
  'not-held': {
    title: 'The repository would have to receive the question',
    text: 'The request asked that nothing of it leaves this gateway (Prefer: private).',
    isFailure: true,
  },
};

const UNKNOWN: MissingTeamDescription = {
  title: 'The repository of this team could not be asked',
  text: 'Nothing is known of the team now. This is no proof that there is no such team. Try again in a minute.',
  isFailure: true,
};

/** Decisions 2.35. */
export function describeMissingTeam({ result }: PageAnswer): MissingTeamDescription {
  return ('problem' in result ? DESCRIPTIONS[result.problem.kind] : undefined) ?? UNKNOWN;
}

export function MissingTeam({ id, outcome }: { readonly id: string; readonly outcome: PageAnswer }): VNode {
  const { title, text, isFailure } = describeMissingTeam(outcome);
  const address = useAddress();
  const name = id
    .slice(id.indexOf('.') + 1)
    .replace(/[-_~]+/g, ' ')
    .trim();
  return (
    <section class={`no-list ${isFailure ? 'failure' : 'empty'}`}>
      <h1>{title}</h1>
      <p>
        <code>
          <SourceText text={address(`/teams/${id}`)} />
        </code>
      </p>
      <p>{text}</p>
      <Candidates records={findCandidates(outcome)} />
      <p>
        <a href={address('/', name === '' ? [] : [['q', name]])}>
          Search for <SourceText text={name === '' ? 'a team' : name} />
        </a>
      </p>
    </section>
  );
}

function findCandidates({ answer }: PageAnswer): readonly StoredRecord[] {
  return answer?.missingItem?.reason === 'contested' ? answer.missingItem.candidates : [];
}

function Candidates({ records }: { readonly records: readonly StoredRecord[] }): VNode | null {
  const groups = records.map((record) => ({ record, linked: [] }));
  return records.length === 0 ? null : <TeamList groups={groups} model={{ links: new Map(), hits: new Map() }} />;
}
