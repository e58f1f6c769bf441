// The request lifecycle, independent of the client. The agent uses the tools alone; the person who records uses the
// link alone.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const TOOLS = ['delete_video_request', 'get_video_evidence', 'request_video_evidence'];

/** Pause between two polls in milliseconds. */
const POLL_INTERVAL = 100;

/** Long polls until a submission: enough for a recording, and too few for a server that doesn't wait. */
const MAX_LONG_POLLS = 4;

/** Start of a JPEG: ISO/IEC 10918-1, annex B. */
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/**
 * Runs the lifecycle. `list` holds the tool names that the client sees; `call` calls a tool and returns its
 * result.
 */
export async function runLifecycle(list, call) {
  assert.deepEqual([...list].sort(), TOOLS);
  const created = successJson(
    await call('request_video_evidence', { prompt: 'Show the dent.', expires_in_hours: 1 }),
  );
  const { request_id, access_token } = created;
  assert.equal(created.status, 'awaiting_submission');
  const credentials = { request_id, access_token };
  const get = (options) => call('get_video_evidence', { ...credentials, ...options });

  const early = successJson(await get());
  assert.equal(early.status, 'awaiting_submission');
  assert(early.poll_after_seconds > 0);
  assert.equal(early.video, undefined);

  await Promise.all([waitForSubmission(get), recordAsUser(created.submission_url)]);

  let answer = await get({ delivery: 'link' });
  while (successJson(answer).stills.status === 'pending') {
    await setTimeout(POLL_INTERVAL);
    answer = await get({ delivery: 'link' });
  }
  await assertLinkDelivery(answer, access_token);
  await assertInlineDelivery(await get(), access_token, created.expires_at);

  for (let time = 0; time < 2; time += 1) {
    const deleted = successJson(await call('delete_video_request', credentials));
    assert.equal(deleted.request_id, request_id);
    assert.equal(deleted.deleted, true);
  }
  assertError(await get(), 'not_found');
}

/** Long-polls until the submission. */
async function waitForSubmission(get) {
  for (let polls = 0; polls < MAX_LONG_POLLS; polls += 1) {
    const { status } = successJson(await get({ wait_seconds: 45, delivery: 'link' }));
    if (status !== 'awaiting_submission') {
      assert.equal(status, 'submitted');
      return;
    }
  }
  assert.fail('no submission, or the server did not wait');
}

/** The default delivery: metadata, stills, and the video itself. */
async function assertInlineDelivery(answer, token, expires_at) {
  const json = successJson(answer);
  const { video, stills, delivered, notice } = json;
  assert.equal(delivered.as, 'inline');
  assert.equal(json.expires_at, expires_at);
  assert(video.duration_ms > 1000 && video.width > 0 && video.height > 0);
  assert.equal(video.has_audio, true);
  assert.match(notice, /third party/);

  const [embedded, ...others] = blocks(answer, 'resource');
  assert.equal(others.length, 0);
  const link = linkTo(video, answer);
  assert.equal(embedded.resource.uri, link.uri);
  assert.equal(embedded.resource.mimeType, video.media_type);
  const recording = Buffer.from(embedded.resource.blob, 'base64');
  assert.equal(recording.length, video.bytes);
  assert.equal(createHash('sha256').update(recording).digest('hex'), video.sha256);
  assert((await fetchBytes(link.uri, token)).equals(recording));

  assert.equal(stills.status, 'ready');
  const images = blocks(answer, 'image');
  assert(images.length > 0);
  assert.equal(images.length, stills.at_ms.length);
  for (const [index, image] of images.entries()) {
    const picture = Buffer.from(image.data, 'base64');
    assert.equal(image.mimeType, 'image/jpeg');
    assert(picture.subarray(0, JPEG.length).equals(JPEG));
    const url = stills.stills_url.replace('{at_ms}', stills.at_ms[index]);
    assert((await fetchBytes(url, token)).equals(picture));
  }
}

async function assertLinkDelivery(answer, token) {
  const { video, delivered } = successJson(answer);
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

/** The only link to the video. */
function linkTo(video, answer) {
  const [link, ...others] = blocks(answer, 'resource_link');
  assert.equal(others.length, 0);
  assert.equal(link.mimeType, video.media_type);
  assert.equal(link.size, video.bytes);
  return link;
}

/** The JSON of the first text, which must equal the structured content if there is any. */
function successJson(answer) {
  assert(!answer.isError, JSON.stringify(answer.content));
  const json = JSON.parse(blocks(answer, 'text')[0].text);
  assert.deepEqual(answer.structuredContent ?? json, json);
  assert(json.next_step);
  return json;
}

/** An error is JSON in the text alone: the output schema describes successes. */
function assertError(answer, code) {
  assert.equal(answer.isError, true);
  const { error, next_step } = JSON.parse(blocks(answer, 'text')[0].text);
  assert.equal(error.code, code);
  assert(error.message && next_step);
}

const blocks = (answer, type) => answer.content.filter((block) => block.type === type);

async function fetchBytes(url, token) {
  const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
  assert.equal(answer.status, 200, url);
  return Buffer.from(await answer.arrayBuffer());
}

/** Starts the person who records. */
function recordAsUser(link) {
  const script = fileURLToPath(new URL('user.js', import.meta.url));
  return promisify(execFile)(process.execPath, [script, link]);
}
