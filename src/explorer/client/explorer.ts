// Improves a page that is complete without scripts: buttons that copy a text, which need a clipboard, and so TLS.

/** A button says for so long that its text was copied. */
const CONFIRMATION_MS = 2_000;

/** Screen readers say only changes of a region that exists. */
const announcement = document.createElement('p');
announcement.className = 'visually-hidden';
announcement.setAttribute('role', 'status');
document.body.append(announcement);

if (isSecureContext) document.querySelectorAll<HTMLButtonElement>('button[data-copy]').forEach(enableCopying);

/** The focus stays where the reader has it. */
function enableCopying(button: HTMLButtonElement): void {
  const label = button.textContent;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const say = (text: string): void => {
    button.textContent = text;
    announcement.textContent = text === label ? '' : text;
  };
  const copy = async (): Promise<void> => {
    const isCopied = await navigator.clipboard.writeText(button.dataset['copy'] ?? '').then(
      () => true,
      () => false,
    );
    say(isCopied ? 'Copied' : 'Not copied');
    clearTimeout(timer);
    timer = setTimeout(say, CONFIRMATION_MS, label);
  };
  button.hidden = false;
  button.addEventListener('click', () => void copy());
}
