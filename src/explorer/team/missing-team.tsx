import type { ErrorKind } from '../../model/error-catalogue.js';
import type { PageAnswer } from '../answer/answer-query.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import { useAddress } from '../layout/page-address.js';
import { TeamList } from '../search/team-list.js';

/** Why there is no team to show (decisions 2.35). */
const DESCRIPTIONS: Partial<Readonly<Record<ErrorKind, readonly [title: string, text: string]>>> = {
  'multiple-choices': [
    'Several teams may be meant',
    'The repository has more than one team that could have this address. Choose one; they are different teams.',
  ],
  'not-found': [
    'No team has this address',
    'The team may have ended or have another address now, or the address may have been mistyped: search for it.',
  ],
  'not-held': [
    'The repository would have to receive the question',
    'The request asked that nothing of it leaves this gateway (Prefer: private).',
  ],
};

export function describeMissingTeam({ result }: PageAnswer): readonly [title: string, text: string] {
  const described = 'problem' in result ? DESCRIPTIONS[result.problem.kind] : undefined;
  return (
    described ?? [
      'The repository of this team could not be asked',
      'Nothing is known of the team now. This is no proof that there is no such team. Try again in a minute.',
    ]
  );
}

/** The repository has answered that it has no such team, or several. */
const ANSWERED: ReadonlySet<ErrorKind> = new Set(['not-found', 'multiple-choices']);

export function MissingTeam({ id, outcome }: { readonly id: string; readonly outcome: PageAnswer }): VNode {
  const [title, text] = describeMissingTeam(outcome);
  const isAnswered = 'problem' in outcome.result && ANSWERED.has(outcome.result.problem.kind);
  const address = useAddress();
  const name = id
    .slice(id.indexOf('.') + 1)
    .replace(/[-_~]+/g, ' ')
    .trim();
  const missing = outcome.answer?.missingItem;
  const candidates = missing?.reason === 'contested' ? missing.candidates : [];
  return (
    <section class={`no-list ${isAnswered ? 'empty' : 'failure'}`}>
      <h1>{title}</h1>
      <p>
        <code>
          <SourceText text={address(`/teams/${id}`)} />
        </code>
      </p>
      <p>{text}</p>
      {candidates.length > 0 && (
        <TeamList
          groups={candidates.map((record) => ({ record, linked: [] }))}
          model={{ links: new Map(), hits: new Map() }}
        />
      )}
      <p>
        <a href={address('/', [['q', name]])}>
          Search for <SourceText text={name} />
        </a>
      </p>
    </section>
  );
}
