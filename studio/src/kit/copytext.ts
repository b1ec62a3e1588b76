/** Puts a text on the clipboard. The asynchronous clipboard needs a secure context, which a studio over plain http is not. Whether it worked. */
export function copyText(text: string): boolean {
  const field = document.createElement('textarea');
  const before = document.activeElement;
  field.value = text;
  field.className = 'visually-hidden';
  // Inside of a dialog nothing outside of it can be selected.
  (before?.closest('dialog') ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
