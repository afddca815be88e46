/** A button says for so long that its text was copied. */
const CONFIRMATION_MS = 2_000;

/** They do nothing without scripts. May be called again for new buttons. The focus stays where the reader has it. */
export function enableCopyButtons(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-copy][hidden]')) {
    const label = button.textContent;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const copy = async (): Promise<void> => {
      const isCopied = await copyText(button.dataset['copy'] ?? '');
      button.textContent = isCopied ? 'Copied' : 'Not copied';
      announce(isCopied ? 'Copied' : 'The text could not be copied');
      clearTimeout(timer);
      timer = setTimeout(() => {
        button.textContent = label;
        announce('');
      }, CONFIRMATION_MS);
    };
    button.hidden = false;
    button.addEventListener('click', () => void copy());
  }
}

/** A page without TLS has no clipboard, so the text is then copied from a selected field. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelectedText(text);
  }
}

function copySelectedText(text: string): boolean {
  const focused = document.activeElement;
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
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}

/** Screen readers say only changes of a region that exists, so that the first call of a page has an empty text. */
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
