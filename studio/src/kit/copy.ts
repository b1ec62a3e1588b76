/**
 * Writes to the system's clipboard, by type. It needs no permission and no secure context, but has to be called while the person presses something. Answers whether
 * the browser has done it.
 */
export function copyTexts(texts: Readonly<Record<string, string>>): boolean {
  const write = (event: ClipboardEvent) => {
    // Whatever else listens would copy something of its own.
    event.stopImmediatePropagation();
    writeTexts(event, texts);
  };
  document.addEventListener('copy', write, { capture: true });
  try {
    return document.execCommand('copy');
  } finally {
    document.removeEventListener('copy', write, { capture: true });
  }
}

/** Makes a copy or cut event of the browser write these. */
export function writeTexts(event: ClipboardEvent, texts: Readonly<Record<string, string>>): void {
  event.preventDefault();
  for (const [type, text] of Object.entries(texts)) event.clipboardData?.setData(type, text);
}
