import { formatLocalTime, formatTimeZone, parseTimeZone } from '../../text/time-zone.js';
import type { TimeZone } from '../../text/time-zone.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';

/** What a record states about the time zone of a team. Empty texts are not stated. */
export interface LocalTimeProps {
  readonly timezone: string;
  /** Zone in summer, or a text that says that there is none. */
  readonly timezoneInSummer: string;
  /** Present time, in milliseconds since 1970. */
  readonly now: number;
}

/** Texts with which sources say that a team has no summer time. */
const NO_SUMMER_TIME = /^(?:no\b|none\b|not?\b|n\/a\b|-$)/i;

/** The present time at a team, as far as the stated zone gives it. Whether summer time is in force is not stated. */
export function LocalTime({ timezone, timezoneInSummer, now }: LocalTimeProps): VNode {
  const zone = parseTimeZone(timezone);
  if (zone === undefined)
    return (
      <>
        unknown: the stated time zone is <SourceText text={timezone} />
      </>
    );
  const summer = parseTimeZone(timezoneInSummer);
  return (
    <>
      <strong>
        <Time zone={zone} now={now} />
      </strong>{' '}
      ({formatTimeZone(zone)}
      {'zone' in zone || NO_SUMMER_TIME.test(timezoneInSummer) ? '' : ', standard time'})
      {summer !== undefined && (
        <>
          {' '}
          or <Time zone={summer} now={now} /> in summer ({formatTimeZone(summer)})
        </>
      )}
    </>
  );
}

/** The time in a zone when the page was made. The script of the page keeps it up to date. */
function Time({ zone, now }: { readonly zone: TimeZone; readonly now: number }): VNode {
  const attributes = 'zone' in zone ? { 'data-local-zone': zone.zone } : { 'data-local-offset': String(zone.offset) };
  return <time {...attributes}>{formatLocalTime(now, zone)}</time>;
}
