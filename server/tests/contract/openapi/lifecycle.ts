// The request lifecycle with openapi-fetch and the types of openapi-typescript: node lifecycle.js BASE RECORDING
//
// The agent uses the types alone; the person who records uses the link alone.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import createClient from 'openapi-fetch';

import type { components, paths } from './schema.js';

type Failure = components['schemas']['Error'];

const [base, file] = process.argv.slice(2);
assert(base && file);
const recording = await readFile(file);

const anonymous = createClient<paths>({ baseUrl: base });
const authorized = (token: string) =>
  createClient<paths>({ baseUrl: base, headers: { Authorization: `Bearer ${token}` } });

/** Uploads and submits a recording. */
async function submitRecording(link: string) {
  const headers = { 'Content-Type': 'video/webm' };
  const sent = await fetch(`${link}/takes`, { method: 'POST', body: recording, headers });
  assert.equal(sent.status, 201);
  const take = sent.headers.get('Location')?.split('/').at(-1);
  const submitted = await fetch(`${link}/submission`, {
    method: 'POST',
    body: JSON.stringify({ take }),
    headers: { 'Content-Type': 'application/json' },
  });
  assert.equal(submitted.status, 200);
}

function assertRefused(answer: { error?: Failure; response: Response }, status: number, code: string) {
  assert.equal(answer.response.status, status);
  assert(answer.error);
  assert.equal(answer.error.error.code, code);
  assert(answer.error.error.message);
}

const create = (hours = 1) =>
  anonymous.POST('/v1/requests', { body: { prompt: 'Show the dent.', expires_in_hours: hours } });

assertRefused(await create(72), 400, 'bad_request');
const { data: created } = await create();
const { data: other } = await create();
assert(created && other);
assert.equal(created.status, 'awaiting_submission');

const client = authorized(created.access_token);
const path = { id: created.id };
const before = await client.GET('/v1/requests/{id}', { params: { path } });
assert.equal(before.data?.status, 'awaiting_submission');
assert.equal(before.data.video, undefined);
assert.equal(before.data.expires_at, created.expires_at);

const [after] = await Promise.all([
  client.GET('/v1/requests/{id}', { params: { path, header: { Prefer: 'wait=50' } } }),
  submitRecording(created.submission_url),
]);
assert.equal(after.data?.status, 'submitted');
const video = after.data.video;
assert(video);
assert.equal(video.url, `${base}/v1/videos/${video.id}`);
assert.equal(video.expires_at, created.expires_at);

const download = (header: NonNullable<paths['/v1/videos/{id}']['get']['parameters']['header']> = {}) =>
  client.GET('/v1/videos/{id}', { params: { path: { id: video.id }, header }, parseAs: 'arrayBuffer' });

const whole = await download();
assert.equal(whole.response.status, 200);
assert(whole.data);
const bytes = Buffer.from(whole.data);
// The server puts an index in front of a live recording.
assert(bytes.subarray(-recording.length).equals(recording));
const part = await download({ Range: 'bytes=100-199' });
assert.equal(part.response.status, 206);
assert.equal(part.response.headers.get('Content-Range'), `bytes 100-199/${bytes.length}`);
assert(part.data);
assert(Buffer.from(part.data).equals(bytes.subarray(100, 200)));
assertRefused(await download({ Range: `bytes=${bytes.length}-` }), 416, 'range_not_satisfiable');
assertRefused(await download({ 'If-Match': '"another"' }), 412, 'precondition_failed');

const foreign = await client.GET('/v1/requests/{id}', { params: { path: { id: other.id } } });
assertRefused(foreign, 403, 'forbidden');
assertRefused(await authorized('vidence_forged').GET('/v1/requests/{id}', { params: { path } }), 401, 'unauthorized');

const deleted = await client.DELETE('/v1/requests/{id}', { params: { path } });
assert.equal(deleted.response.status, 204);
assertRefused(await client.GET('/v1/requests/{id}', { params: { path } }), 404, 'not_found');
assertRefused(await client.DELETE('/v1/requests/{id}', { params: { path } }), 404, 'not_found');
assertRefused(await download(), 404, 'not_found');
