// Conveniences of the pages. Every form works without this file; passkeys are the one thing that needs it. Elements that need it are hidden until it runs.

const all = (selector, root = document) => [...root.querySelectorAll(selector)];

// The summary of what is wrong gets the focus, so that a screen reader begins there.
document.querySelector('[data-focus]')?.focus();

// Show and hide a password.
for (const button of all('[data-toggle]')) {
  const input = document.getElementById(button.dataset.toggle);
  button.hidden = false;
  button.addEventListener('click', () => {
    const shown = input.type === 'text';
    input.type = shown ? 'password' : 'text';
    button.textContent = shown ? button.dataset.show : button.dataset.hide;
    button.setAttribute('aria-pressed', String(!shown));
    input.focus();
  });
  button.form?.addEventListener('submit', () => (input.type = 'password'));
}

// Tick the rules for a new password while it is typed. The server decides; the list of common passwords is only there.
for (const list of all('[data-rules]')) {
  const input = document.getElementById(list.dataset.rules);
  const met = {
    length: (text, bound) => [...text].length >= Number(bound),
    uppercase: (text) => /\p{Lu}/u.test(text),
    lowercase: (text) => /\p{Ll}/u.test(text),
    digit: (text) => /[0-9]/.test(text),
    symbol: (text) => /[^\p{L}\p{N}\s]/u.test(text),
  };
  const tick = () => {
    for (const rule of all('[data-rule]', list)) rule.classList.toggle('met', met[rule.dataset.rule](input.value, rule.dataset.bound));
  };
  input.addEventListener('input', tick);
  tick();
}

// A button that can be used after some seconds, which it counts.
for (const button of all('[data-wait]')) {
  const label = button.textContent;
  let left = Number(button.dataset.wait);
  const count = () => {
    button.disabled = left > 0;
    button.textContent = left > 0 ? `${label} (${left})` : label;
    if (left-- > 0) setTimeout(count, 1000);
  };
  count();
}

// Times are written in UTC; readers see them in their own zone and as they are written in the language of their browser, and UTC on hover.
const clock = new Intl.DateTimeFormat(navigator.languages, { dateStyle: 'medium', timeStyle: 'short' });
for (const time of all('time[datetime]')) {
  time.title = time.textContent;
  time.textContent = clock.format(new Date(time.dateTime));
  time.lang = clock.resolvedOptions().locale;
}

// A logo that cannot be loaded is not shown. It may have failed before this runs.
for (const logo of all('img[data-logo]')) {
  const hide = () => (logo.hidden = true);
  if (logo.complete && !logo.naturalWidth) hide();
  logo.addEventListener('error', hide);
}

// Figures that renew themselves as long as a box is ticked. The server ends a stream after some minutes, and the browser opens another one.
for (const box of all('[data-live]')) {
  const part = document.getElementById(box.dataset.live);
  let source;
  const follow = () => {
    source?.close();
    if (!box.checked) return;
    source = new EventSource(box.dataset.source);
    // What is being read with the keyboard stays.
    source.addEventListener('message', ({ data }) => part.contains(document.activeElement) || (part.innerHTML = data));
  };
  box.closest('label').hidden = false;
  box.addEventListener('change', follow);
  follow();
}

for (const button of all('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}

for (const button of all('[data-copy]')) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).innerText);
    button.textContent = button.dataset.done;
  });
}

// Passkeys (WebAuthn). A form says by data-passkey what it is for: `create`, `get` or `login`. What the authenticator answers goes into its fields.

const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (char) => char.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');

function decoded(options) {
  const list = (keys) => keys?.map((key) => ({ ...key, id: bytes(key.id) }));
  return {
    ...options,
    challenge: bytes(options.challenge),
    ...(options.user && { user: { ...options.user, id: bytes(options.user.id) } }),
    ...(options.excludeCredentials && { excludeCredentials: list(options.excludeCredentials) }),
    ...(options.allowCredentials && { allowCredentials: list(options.allowCredentials) }),
  };
}

function encoded(credential) {
  const { id, type, response, authenticatorAttachment } = credential;
  const answer = { clientDataJSON: text(response.clientDataJSON) };
  for (const name of ['attestationObject', 'authenticatorData', 'signature', 'userHandle']) {
    if (response[name]) answer[name] = text(response[name]);
  }
  if (response.getTransports) answer.transports = response.getTransports();
  return JSON.stringify({ id, rawId: id, type, response: answer, authenticatorAttachment: authenticatorAttachment ?? undefined, clientExtensionResults: credential.getClientExtensionResults() });
}

async function options(form) {
  const headers = { 'x-csrf-token': form.elements.csrf_token.value, 'content-type': 'application/json' };
  const answer = await fetch(form.dataset.start, { method: 'POST', headers, body: '{}' });
  const body = await answer.json();
  // The session became too old for this since the page was opened: the person proves who they are on a page for that, and comes back.
  if (body.error === 'proofRequired') location.assign(`/account/prove?return_to=${encodeURIComponent(location.pathname)}`);
  if (!answer.ok) throw new Error(body.message);
  return body;
}

let waiting = new AbortController();

/** Asks the authenticator: with a challenge that the page has brought, by autofill; else with one that the server is asked for. */
async function ask(form, offered) {
  const { options: publicKey, challenge } = offered ?? (await options(form));
  waiting.abort();
  waiting = new AbortController();
  const { signal } = waiting;
  const wanted = { publicKey: decoded(publicKey), signal, ...(offered && { mediation: 'conditional' }) };
  const credential = form.dataset.passkey === 'create' ? await navigator.credentials.create(wanted) : await navigator.credentials.get(wanted);
  form.elements.credential.value = encoded(credential);
  form.elements.challenge.value = challenge;
  if (form.elements.offer) form.elements.offer.value = offered ? form.dataset.offer : '';
  const remember = document.querySelector('[data-remember]');
  if (remember && form.elements.remember) form.elements.remember.value = remember.checked ? 'on' : '';
  form.submit();
}

if (window.PublicKeyCredential) {
  for (const part of all('[data-needs-passkeys]')) part.hidden = false;
  for (const form of all('form[data-passkey]')) {
    const problem = form.querySelector('[role=alert]');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      problem.hidden = true;
      ask(form).catch((error) => {
        const known = { NotAllowedError: form.dataset.cancelled, InvalidStateError: form.dataset.known, AbortError: form.dataset.cancelled };
        problem.textContent = known[error.name] ?? error.message;
        problem.hidden = false;
      });
    });
  }
  // Autofill offers passkeys in the field for the address. The page has brought the challenge, so that loading it costs no request.
  const login = document.querySelector('form[data-passkey=login][data-options]');
  if (login && (await PublicKeyCredential.isConditionalMediationAvailable?.())) {
    const given = JSON.parse(login.dataset.options);
    ask(login, { options: given, challenge: given.challenge }).catch(() => {});
  }
}

// The end of a sign-in in a window of its own: the studio, which waits for it in another one, is told.
if (document.querySelector('[data-signed-in]')) {
  new BroadcastChannel('lectern-signed-in').postMessage('signed in');
  window.close();
}
