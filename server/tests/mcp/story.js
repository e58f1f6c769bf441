// The whole story, whichever client tells it. The agent knows nothing but what the tools say; the human
// knows nothing but the link.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const TOOLS = ['delete_video_request', 'get_video_evidence', 'request_video_evidence'];

/** How long it leaves the server alone between two questions, in milliseconds. */
const PACE = 100;

/** Enough for any human here, and far too few for a server that doesn't wait. */
const PIECES = 4;

/** As a picture begins: ISO/IEC 10918-1, annex B. */
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/**
 * Tells it. `list` are the names of the tools as the client sees them; `call` calls one, and returns what it
 * answered.
 */
export async function tell(list, call) {
  assert.deepEqual([...list].sort(), TOOLS);
  const created = succeeded(
    await call('request_video_evidence', { prompt: 'Show the dent.', expires_in_hours: 1 }),
  );
  const { request_id, access_token } = created;
  assert.equal(created.status, 'awaiting_submission');
  const grant = { request_id, access_token };
  const get = (wishes) => call('get_video_evidence', { ...grant, ...wishes });

  const early = succeeded(await get());
  assert.equal(early.status, 'awaiting_submission');
  assert(early.poll_after_seconds > 0);
  assert.equal(early.video, undefined);

  await Promise.all([submitted(get), records(created.submission_url)]);

  let answer = await get({ delivery: 'link' });
  while (succeeded(answer).stills.status === 'pending') {
    await setTimeout(PACE);
    answer = await get({ delivery: 'link' });
  }
  await linkAlone(answer, access_token);
  await everything(await get(), access_token, created.expires_at);

  for (let time = 0; time < 2; time += 1) {
    const deleted = succeeded(await call('delete_video_request', grant));
    assert.equal(deleted.request_id, request_id);
    assert.equal(deleted.deleted, true);
  }
  failed(await get(), 'not_found');
}

/** Waits as agents are told to: in pieces, for which the server holds back its answer. */
async function submitted(get) {
  for (let piece = 0; piece < PIECES; piece += 1) {
    const { status } = succeeded(await get({ wait_seconds: 45, delivery: 'link' }));
    if (status !== 'awaiting_submission') {
      assert.equal(status, 'submitted');
      return;
    }
  }
  assert.fail('nobody submitted, or the server did not wait');
}

/** What is asked for by default: facts, pictures, and the video itself. */
async function everything(answer, token, expires_at) {
  const said = succeeded(answer);
  const { video, stills, delivered, notice } = said;
  assert.equal(delivered.as, 'inline');
  assert.equal(said.expires_at, expires_at);
  assert(video.duration_ms > 1000 && video.width > 0 && video.height > 0);
  assert.equal(video.has_audio, true);
  assert.match(notice, /third party/);

  const [embedded, ...others] = blocks(answer, 'resource');
  assert.equal(others.length, 0);
  const link = linkTo(video, answer);
  assert.equal(embedded.resource.uri, link.uri);
  assert.equal(embedded.resource.mimeType, video.media_type);
  const film = Buffer.from(embedded.resource.blob, 'base64');
  assert.equal(film.length, video.bytes);
  assert.equal(createHash('sha256').update(film).digest('hex'), video.sha256);
  assert((await fetched(link.uri, token)).equals(film));

  assert.equal(stills.status, 'ready');
  const images = blocks(answer, 'image');
  assert(images.length > 0);
  assert.equal(images.length, stills.at_ms.length);
  for (const [index, image] of images.entries()) {
    const picture = Buffer.from(image.data, 'base64');
    assert.equal(image.mimeType, 'image/jpeg');
    assert(picture.subarray(0, JPEG.length).equals(JPEG));
    const url = stills.stills_url.replace('{at_ms}', stills.at_ms[index]);
    assert((await fetched(url, token)).equals(picture));
  }
}

async function linkAlone(answer, token) {
  const { video, delivered } = succeeded(answer);
  assert.equal(delivered.as, 'link');
  assert.equal(blocks(answer, 'resource').length, 0);
  const link = linkTo(video, answer);
  assert(delivered.how_to_fetch.includes(link.uri));
  const part = await fetch(link.uri, {
    headers: { Authorization: `Bearer ${token}`, Range: 'bytes=0-99' },
  });
  assert.equal(part.status, 206);
  assert.equal(part.headers.get('Content-Range'), `bytes 0-99/${video.bytes}`);
}

/** The link to the video, of which there is one. */
function linkTo(video, answer) {
  const [link, ...others] = blocks(answer, 'resource_link');
  assert.equal(others.length, 0);
  assert.equal(link.mimeType, video.media_type);
  assert.equal(link.size, video.bytes);
  return link;
}

/** What its first text says, which is also what it says in a form for programs if it has one. */
function succeeded(answer) {
  assert(!answer.isError, JSON.stringify(answer.content));
  const said = JSON.parse(blocks(answer, 'text')[0].text);
  assert.deepEqual(answer.structuredContent ?? said, said);
  assert(said.next_step);
  return said;
}

/** A failure says so in its text: its form isn't the one that the tool's schema promises. */
function failed(answer, code) {
  assert.equal(answer.isError, true);
  const { error, next_step } = JSON.parse(blocks(answer, 'text')[0].text);
  assert.equal(error.code, code);
  assert(error.message && next_step);
}

const blocks = (answer, type) => answer.content.filter((block) => block.type === type);

async function fetched(url, token) {
  const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
  assert.equal(answer.status, 200, url);
  return Buffer.from(await answer.arrayBuffer());
}

/** Has the human record. */
function records(link) {
  const human = fileURLToPath(new URL('human.js', import.meta.url));
  return promisify(execFile)(process.execPath, [human, link]);
}
