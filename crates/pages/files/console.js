// Conveniences of the console. Every page works without this file.

// A row opens its details: the page that its first cell leads to, or what is folded below it. What was pressed to be used or marked stays that.
document.addEventListener('click', ({ target }) => {
  const row = target.closest('.list tbody tr');
  if (!row || target.closest('a, button, input, select, label, summary, form, pre') || !getSelection().isCollapsed) return;
  const below = row.nextElementSibling?.matches('.below') ? row.nextElementSibling : undefined;
  (row.querySelector(':scope > th a') ?? below?.querySelector('summary'))?.click();
});
