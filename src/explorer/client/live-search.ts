import { announce } from './copy-buttons.js';

/** The results are requested after so long without a further key. */
const PAUSE_MS = 200;

/** Where both the page and the answer have them. */
const REPLACED_PARTS = ['feed', 'notice', 'results', 'counts', 'map', 'sources'];

/**
 * Shows the results of a search form while the reader types. The page of the same address is requested, and its parts
 * replace those of this page.
 *
 * The race that this handles:
 * 1. The reader types, and a request starts.
 * 2. The reader types more, and another request starts.
 * 3. The answer to the first request arrives last.
 *
 * A new request aborts the one before, and an answer is shown only while the form still has its address.
 */
export function enableLiveSearch(form: HTMLFormElement, onUpdate: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let request = new AbortController();
  let shownAddress = isAsRendered(form) ? addressOf(form) : undefined;
  const update = async (): Promise<void> => {
    const address = addressOf(form);
    request.abort();
    if (address === shownAddress) {
      setBusy(false);
      removeFailure();
      return;
    }
    request = new AbortController();
    const { signal } = request;
    setBusy(true);
    try {
      const page = await requestPage(address, signal);
      if (signal.aborted || address !== addressOf(form)) return;
      replaceParts(page);
      shownAddress = address;
      history.replaceState(null, '', address);
      document.title = page.title;
      onUpdate();
      announce(page.querySelector('#results-title')?.textContent ?? '');
    } catch {
      if (!signal.aborted) showFailure();
    } finally {
      if (!signal.aborted) setBusy(false);
    }
  };
  const schedule = (milliseconds: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void update(), milliseconds);
  };
  form.addEventListener('input', () => {
    schedule(PAUSE_MS);
  });
  form.addEventListener('change', () => {
    schedule(0);
  });
  if (shownAddress === undefined) schedule(0);
}

/** False if the reader was faster than the script, or if the browser restored fields of an earlier visit. */
function isAsRendered(form: HTMLFormElement): boolean {
  return [...form.elements].every(
    (field) => !(field instanceof HTMLInputElement) || field.value === field.defaultValue,
  );
}

/** As submitting requests it. Empty fields are left out, as no parameter. */
function addressOf(form: HTMLFormElement): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && value.trim() !== '') parameters.append(name, value);
  const query = parameters.toString();
  return query === '' ? form.action : `${form.action}?${query}`;
}

/** An error page is a page too; anything else is a failure. */
async function requestPage(address: string, signal: AbortSignal): Promise<Document> {
  const response = await fetch(address, { signal, headers: { Accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  if (page.querySelector('#notice') === null) throw new Error('the answer is not a page');
  return page;
}

function replaceParts(page: Document): void {
  for (const id of REPLACED_PARTS) {
    const [part, next] = [document.getElementById(id), page.getElementById(id)];
    if (part !== null && next !== null) part.replaceWith(document.adoptNode(next));
    else if (part !== null) part.replaceChildren();
  }
}

function setBusy(isBusy: boolean): void {
  document.getElementById('results')?.setAttribute('aria-busy', String(isBusy));
}

const FAILURE_ID = 'search-failure';

function removeFailure(): void {
  document.getElementById(FAILURE_ID)?.remove();
}

/** The results below are not those of the present search. */
function showFailure(): void {
  removeFailure();
  const message = document.createElement('p');
  message.id = FAILURE_ID;
  message.setAttribute('role', 'alert');
  message.className = 'notice failure';
  message.textContent = 'The search could not be requested. The results below are those of an earlier search.';
  document.getElementById('notice')?.prepend(message);
}
