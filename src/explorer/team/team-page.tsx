import type { RequestLogFields } from '../../http/log/access-log.js';
import type { PageRequest } from '../../http/page-route.js';
import type { OutgoingResponse } from '../../http/representation/outgoing-response.js';
import { encodeComponent } from '../answer/page-parameters.js';
import { createAnswerResponse } from '../answer/page-response.js';
import { readSourceFacts } from '../answer/source-facts.js';
import type { VNode } from '../../html/html.js';
import { Layout } from '../layout/layout.js';
import type { Site } from '../layout/layout.js';
import { useAddress } from '../layout/page-address.js';
import { FormatLinks } from '../layout/program-access.js';
import { SourceText } from '../../html/source-text.js';
import { ContactSection } from './contact-section.js';
import { KeySection } from './key-section.js';
import { MissingTeam, describeMissingTeam } from './missing-team.js';
import { SameTeam } from './same-team.js';
import { PropertyTable } from './property-table.js';
import { countryName, nameOf } from './team-facts.js';
import { buildTeamModel } from './team-model.js';
import type { TeamModel, TeamModelDependencies, TeamRecord } from './team-model.js';
import { TeamNotice } from './team-notice.js';

interface TeamDependencies extends TeamModelDependencies {
  readonly site: Site;
}

/** `/teams/<id>` (operation 4.2). */
export async function handleTeam(
  dependencies: TeamDependencies,
  request: PageRequest,
  logFields: RequestLogFields,
): Promise<OutgoingResponse> {
  const model = await buildTeamModel(dependencies, request, logFields);
  const document = <TeamPage {...dependencies} model={model} now={dependencies.team.options.clock.now()} />;
  const { record } = model;
  const isPartial =
    record !== undefined &&
    (record.keyState === 'missing' || record.elsewhere.unsearched.length + record.elsewhere.outdated.length > 0);
  return createAnswerResponse(dependencies.site, model.outcome, document, isPartial);
}

interface TeamPageProps extends TeamDependencies {
  readonly model: TeamModel;
  readonly now: number;
}

function TeamPage({ site, team, dataTeam, model, now }: TeamPageProps): VNode {
  const { outcome, record, id } = model;
  const address = useAddress();
  const facts = readSourceFacts(outcome.answer);
  const name = record === undefined ? describeMissingTeam(outcome).title : nameOf(record.facts);
  return (
    <Layout
      site={site}
      title={`${name} – Rollcall`}
      section={undefined}
      notice={<TeamNotice outcome={outcome} facts={facts} now={now} />}
      facts={facts}
      now={now}
    >
      {record === undefined ? (
        <MissingTeam id={id} outcome={outcome} />
      ) : (
        <article class="team-page">
          <TeamHead record={record} />
          <TeamBody
            record={record}
            whole={address(`${recordPath(team, id)}.json`)}
            keysAsData={address(`${recordPath(dataTeam, id)}.json`, [['scope', 'pgp']])}
            now={now}
          />
          <section class="panel downloads" aria-labelledby="downloads-title">
            <h2 id="downloads-title">The record as data</h2>
            <p>
              Directory interface: <FormatLinks resource={team} path={recordPath(team, id)} />
            </p>
            {record.data !== undefined && (
              <p>
                Data interface: <FormatLinks resource={dataTeam} path={recordPath(dataTeam, id)} />
              </p>
            )}
          </section>
        </article>
      )}
    </Layout>
  );
}

function TeamHead({ record: { facts } }: { readonly record: TeamRecord }): VNode {
  const { shortName, officialName, countries, constituency, sourceName, modified } = facts;
  return (
    <header>
      <h1>
        <SourceText text={nameOf(facts)} />
      </h1>
      {shortName !== '' && officialName !== '' && officialName !== shortName && (
        <p class="official">
          <SourceText text={officialName} />
        </p>
      )}
      <p class="kind">
        <SourceText text={countries.map(countryName).join(', ') || 'no country stated'} />
        {constituency !== '' && (
          <>
            {' · '}
            <SourceText text={constituency} />
          </>
        )}
      </p>
      <p class="origin">
        Contact and keys are stated by <SourceText text={sourceName} />,{' '}
        <SourceText text={modified === '' ? 'in an undated record' : `in its record of ${modified}`} />.
      </p>
    </header>
  );
}

interface TeamBodyProps {
  readonly record: TeamRecord;
  readonly now: number;
  readonly whole: string;
  readonly keysAsData: string;
}

function TeamBody({ record, now, whole, keysAsData }: TeamBodyProps): VNode {
  return (
    <>
      <ContactSection record={record} whole={whole} now={now} />
      <KeySection keys={record.keys} keyState={record.keyState} whole={whole} keysAsData={keysAsData} now={now} />
      <SameTeam record={record} whole={whole} />
      <PropertyTable record={record} whole={whole} />
    </>
  );
}

function recordPath({ basePath, options }: TeamDependencies['team'], id: string): string {
  return `${basePath}/${options.rules.vocabulary.resource.path}/${encodeComponent(id)}`;
}
