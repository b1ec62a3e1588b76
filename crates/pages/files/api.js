// The pages about the API: the filter of the list, and the form that sends a request. Both are hidden until this runs.

const filter = document.querySelector('[data-filter]');
if (filter) {
  const input = filter.querySelector('input');
  const nothing = document.getElementById('found');
  filter.hidden = false;
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const group of document.querySelectorAll('.group')) {
      let here = 0;
      for (const item of group.querySelectorAll('[data-operation]')) {
        const text = item.textContent.toLowerCase();
        item.hidden = !words.every((word) => text.includes(word));
        here += item.hidden ? 0 : 1;
      }
      group.hidden = here === 0;
      found += here;
    }
    nothing.hidden = found > 0;
  });
}

const form = document.getElementById('try-form');
if (form) {
  form.hidden = false;
  // Credentials stay in this tab, so that they need not be typed for each operation.
  for (const input of form.querySelectorAll('[data-kept]')) {
    const name = `api-${input.dataset.kept}`;
    input.value = sessionStorage.getItem(name) ?? '';
    input.addEventListener('change', () => sessionStorage.setItem(name, input.value));
  }
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('button[type=submit]');
    button.disabled = true;
    try {
      await send();
    } catch {
      show(form.dataset.unreachable, '');
    }
    button.disabled = false;
  });
}

const value = (id) => document.getElementById(id)?.value ?? '';

async function send() {
  const { method, media } = form.dataset;
  const headers = new Headers();
  const query = new URLSearchParams();
  let path = form.dataset.path;
  for (const input of form.querySelectorAll('[data-parameter]')) {
    const { parameter, place } = input.dataset;
    if (place === 'path') path = path.replace(`{${parameter}}`, encodeURIComponent(input.value));
    else if (input.value && place === 'query') query.append(parameter, input.value);
    else if (input.value && place === 'header') headers.set(parameter, input.value);
  }
  if (value('authorization')) headers.set('Authorization', `Bearer ${value('authorization')}`);
  if (value('client-id')) {
    const pair = [value('client-id'), value('client-secret')].map(encodeURIComponent).join(':');
    headers.set('Authorization', `Basic ${btoa(pair)}`);
  }
  if (value('delivery-token')) query.set('token', value('delivery-token'));
  if ('csrf' in form.dataset) {
    const { csrfToken } = await fetch('/api/csrf-token').then((answer) => answer.json());
    headers.set('X-CSRF-Token', csrfToken);
  }
  let body;
  const text = value('try-body');
  if (media && text && media !== 'multipart/form-data') {
    headers.set('Content-Type', media);
    // Each line of a form is a field.
    body = media === 'application/x-www-form-urlencoded' ? new URLSearchParams(text.split('\n').filter(Boolean).map((line) => line.split(/=(.*)/s).slice(0, 2))) : text;
  }
  const search = query.size ? `?${query}` : '';
  const answer = await fetch(path + search, { method, headers, body, redirect: 'manual' });
  if (answer.type === 'opaqueredirect') return show('303', '');
  const received = await answer.text();
  const lines = [...answer.headers].map(([name, content]) => `${name}: ${content}`);
  show(String(answer.status), `${lines.join('\n')}\n\n${pretty(received)}`);
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function show(status, text) {
  const badge = document.getElementById('try-status');
  badge.textContent = status;
  badge.className = `badge ${/^[23]/.test(status) ? 'good' : 'bad'}`;
  document.getElementById('try-text').textContent = text;
  document.getElementById('try-answer').hidden = false;
}
