import { formatLocalTime, formatTimeZone, parseTimeZone } from '../../text/time-zone.js';
import type { TimeZone } from '../../text/time-zone.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';

/** Empty texts are not stated. */
interface LocalTimeProps {
  readonly timezone: string;
  /** Or a text that says that there is no summer time. */
  readonly timezoneInSummer: string;
  /** In milliseconds since 1970. */
  readonly now: number;
}

const NO_SUMMER_TIME = /^(?:no\b|none\b|not?\b|n\/a\b|-$)/i;

/** As far as the stated zone gives the time. Whether summer time is in force is not stated. */
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

/** When the page was made. The script of the page keeps it up to date. */
function Time({ zone, now }: { readonly zone: TimeZone; readonly now: number }): VNode {
  const attributes = 'zone' in zone ? { 'data-local-zone': zone.zone } : { 'data-local-offset': String(zone.offset) };
  return <time {...attributes}>{formatLocalTime(now, zone)}</time>;
}
