import assert from 'node:assert/strict';

/** Asks for an import and follows its events; answers it as it ended. */
export async function imported(space, wanted) {
  const { import: started } = await space.manage('post', 'import/vendor', { body: wanted });
  const url = `${space.server.url}/api/v1/spaces/${space.id}/imports/${started.id}/events`;
  const answer = await fetch(url, { headers: { authorization: space.managementToken } });
  assert.equal(answer.headers.get('content-type'), 'text/event-stream');
  let last;
  for await (const { event, data } of events(answer.body)) {
    if (event === 'import') last = data.import;
  }
  return last;
}

/** The events of a stream, `data` parsed (WHATWG HTML, section 9.2). */
async function* events(body) {
  let rest = '';
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + piece).split('\n\n');
    rest = blocks.pop();
    for (const block of blocks) {
      const fields = block.split('\n').map((line) => line.split(/: ?(.*)/s));
      const { event, data } = Object.fromEntries(fields);
      if (data) yield { event, data: JSON.parse(data) };
    }
  }
}
