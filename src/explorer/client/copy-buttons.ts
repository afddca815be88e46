/** Milliseconds for which a button says that its text was copied. */
const CONFIRMATION_MS = 2_000;

/** Shows the copy buttons of a page, which do nothing without scripts. May be called again for new buttons. */
export function enableCopyButtons(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-copy][hidden]')) {
    button.hidden = false;
    button.addEventListener('click', () => void copyTextOf(button));
  }
}

async function copyTextOf(button: HTMLButtonElement): Promise<void> {
  const isCopied = await copyText(button.dataset['copy'] ?? '');
  const label = button.textContent;
  button.textContent = isCopied ? 'Copied' : 'Not copied';
  announce(isCopied ? 'Copied' : 'The text could not be copied');
  button.disabled = true;
  setTimeout(() => {
    button.textContent = label;
    button.disabled = false;
    button.focus();
  }, CONFIRMATION_MS);
}

/** Copies a text. A page without TLS has no clipboard, so the text is then copied from a selected field. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelectedText(text);
  }
}

function copySelectedText(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'visually-hidden';
  document.body.append(field);
  field.select();
  // The only way to copy without TLS.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const isCopied = document.execCommand('copy');
  field.remove();
  return isCopied;
}

/** Lets screen readers say a text, in one region of the page. */
export function announce(text: string): void {
  const region = document.querySelector('#announcement') ?? createRegion();
  region.textContent = text;
}

function createRegion(): HTMLElement {
  const region = document.createElement('p');
  region.id = 'announcement';
  region.className = 'visually-hidden';
  region.setAttribute('role', 'status');
  document.body.append(region);
  return region;
}
