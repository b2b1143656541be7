// Lets whoever reads the reference try its operations: each gets a form that sends the request from this page, with the
// key that is typed above or with the session of this browser. Nothing is sent elsewhere, and the key is kept nowhere.
try {
  const theme = localStorage.getItem('theme'); // as it was chosen in the dashboard
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // storage may be forbidden
}

const main = document.querySelector('main');
const { document: name, header, word } = main.dataset;
const shownLength = 200_000; // characters of an answer

/** Makes an element; attributes that are false or undefined are left out. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children);
  return element;
}

let loading;
const load = () => (loading ??= fetch(`/openapi/${name}.json`).then((answer) => answer.json()));

const key = make('input', { type: 'password', id: 'key', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'key-help' });
document.querySelector('#credential').append(
  make('label', { for: 'key' }, 'Try it with your key'),
  key,
  make('small', { id: 'key-help' }, 'Open an operation to send it. Without a key it is sent with your session, if you are signed in here.'),
);

for (const details of main.querySelectorAll('details[data-operation]')) {
  details.addEventListener('toggle', async () => addForm(details, await load()), { once: true });
}
function openLinked() {
  const linked = location.hash && document.getElementById(location.hash.slice(1));
  if (!(linked instanceof HTMLDetailsElement)) return;
  linked.open = true;
  linked.scrollIntoView();
}
addEventListener('hashchange', openLinked);
openLinked();

function addForm(details, api) {
  const path = details.dataset.path;
  const method = details.dataset.method;
  const item = api.paths[path];
  const operation = item[method.toLowerCase()];
  const base = new URL((item.servers ?? api.servers)[0].url).pathname.replace(/\/$/, ''); // on this host, whatever its public name is
  const fields = (operation.parameters ?? []).map((parameter) => ({ parameter, input: inputFor(parameter) }));
  const body = operation.requestBody && bodyFor(api, operation.requestBody);
  const output = make('output');
  const send = make('button', { class: 'primary' }, `Send ${method}`);
  const copy = make('button', { type: 'button' }, 'Copy as curl');
  const form = make('form', { class: 'try', 'aria-label': `Try ${method} ${path}` });
  for (const { parameter, input } of fields) form.append(labelled(parameter.name, input));
  if (body?.kind) form.append(labelled('Content-Type', body.kind));
  if (body) form.append(labelled('Body', body.input));
  form.append(make('p', {}, send, ' ', copy), output);
  form.prepend(make('h3', {}, 'Try it'));
  details.querySelector('.inside').append(form);

  const request = () => {
    const query = new URLSearchParams();
    const headers = {};
    let target = path;
    for (const { parameter, input } of fields) {
      if (input.value === '') continue;
      if (parameter.in === 'path') target = target.replace(`{${parameter.name}}`, encodeURIComponent(input.value));
      if (parameter.in === 'query') query.set(parameter.name, input.value);
      if (parameter.in === 'header') headers[parameter.name] = input.value;
    }
    if (key.value && header) headers[header] = `${word} ${key.value.trim()}`.trim();
    if (body?.input.value) headers['Content-Type'] = body.media();
    return { url: base + target + (query.size ? `?${query}` : ''), method, headers, body: body?.input.value || undefined };
  };
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    send.disabled = true;
    await show(output, request());
    send.disabled = false;
  });
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(curl(request()));
    copy.textContent = 'Copied';
  });
}

let labels = 0;
function labelled(text, input) {
  input.id = `try-${++labels}`;
  return make('div', {}, make('label', { for: input.id }, text, input.required ? ' (required)' : ''), input);
}

function choice(values) {
  return make('select', {}, ...values.map((value) => make('option', {}, String(value))));
}

function inputFor({ schema, required, example, description = '' }) {
  const values = schema.enum ?? (schema.type === 'boolean' ? [true, false] : undefined);
  if (values) return choice(['', ...values]);
  const list = schema.type === 'array' ? 'several, with commas' : undefined;
  return make('input', { required, placeholder: example ?? schema.examples?.[0] ?? schema.default ?? list, title: description });
}

function bodyFor(api, { content, required }) {
  const media = Object.keys(content);
  const input = make('textarea', { rows: 10, required, spellcheck: 'false' });
  const kind = media.length > 1 && choice(media);
  const fill = () => (input.value = exampleOf(api, media.length > 1 ? kind.value : media[0], content));
  kind && kind.addEventListener('change', fill);
  fill();
  return { input, kind, media: () => (kind ? kind.value : media[0]) };
}

function exampleOf(api, media, content) {
  const { schema, example } = content[media];
  if (media.endsWith('x-www-form-urlencoded')) {
    const properties = api.components.schemas[schema.$ref.split('/').pop()].properties;
    return Object.entries(properties).map(([field, { enum: values }]) => `${field}=${values?.[0] ?? ''}`).join('&');
  }
  if (media === 'application/json') return JSON.stringify(example ?? {}, null, 2);
  return '';
}

async function show(output, { url, ...request }) {
  const began = performance.now();
  let answer;
  let content;
  try {
    answer = await fetch(url, { ...request, cache: 'no-store' });
    content = await answer.blob();
  } catch {
    output.replaceChildren(make('p', {}, 'The server did not answer. Is it still running?'));
    return;
  }
  const took = Math.round(performance.now() - began);
  const parts = [make('p', {}, make('strong', {}, `${answer.status} ${answer.statusText}`), ` in ${took} ms, ${content.size} bytes`)];
  if (answer.status === 401 && !key.value) parts.push(make('p', {}, 'Type a key above, or sign in to the dashboard in this browser.'));
  parts.push(await contentOf(answer, content));
  const headers = [...answer.headers].map(([field, value]) => `${field}: ${value}`).join('\n');
  parts.push(make('details', {}, make('summary', {}, 'Headers'), make('pre', { tabindex: 0 }, headers)));
  output.replaceChildren(...parts);
}

async function contentOf(answer, content) {
  const media = answer.headers.get('Content-Type') ?? '';
  if (!/json|text/.test(media)) {
    return make('p', {}, make('a', { href: URL.createObjectURL(content), download: 'answer' }, `Save the answer (${media})`));
  }
  let text = await content.text();
  if (media.includes('json') && text.length < shownLength) text = JSON.stringify(JSON.parse(text), null, 2);
  return make('pre', { tabindex: 0 }, text.length > shownLength ? `${text.slice(0, shownLength)}…` : text);
}

/** A line for a shell, which does the same there. */
function curl({ url, method, headers, body }) {
  const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
  const parts = ['curl', '-X', method, quote(location.origin + url)];
  for (const [field, value] of Object.entries(headers)) parts.push('-H', quote(`${field}: ${value}`));
  if (body) parts.push('--data-binary', quote(body));
  return parts.join(' ');
}
