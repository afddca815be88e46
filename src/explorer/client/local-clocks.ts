import { formatLocalTime } from '../../text/local-time/time-zone.js';
import type { TimeZone } from '../../text/local-time/time-zone.js';

const MINUTE_MS = 60_000;

/** The server has written the time at which it rendered the page. */
export function startLocalClocks(root: ParentNode): void {
  const clocks = [...root.querySelectorAll<HTMLTimeElement>('time[data-local-offset], time[data-local-zone]')];
  if (clocks.length === 0) return;
  const update = (): void => {
    clocks.forEach(showTime);
  };
  update();
  setInterval(update, MINUTE_MS / 4);
}

function showTime(clock: HTMLTimeElement): void {
  try {
    clock.textContent = formatLocalTime(Date.now(), zoneOf(clock));
  } catch {
    // The browser does not know the zone, such as a renamed one. The time of the server stays.
  }
}

function zoneOf({ dataset }: HTMLElement): TimeZone {
  const zone = dataset['localZone'];
  return zone === undefined ? { offset: Number(dataset['localOffset']) } : { zone };
}
