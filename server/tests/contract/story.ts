// The whole story, told with openapi-fetch and the types that openapi-typescript made: node story.js BASE FILM
//
// Whoever calls knows nothing but the types; the human knows nothing but the link.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import createClient from 'openapi-fetch';

import type { components, paths } from './schema.js';

type Failure = components['schemas']['Error'];

const [base, file] = process.argv.slice(2);
assert(base && file);
const film = await readFile(file);

const anybody = createClient<paths>({ baseUrl: base });
const holder = (token: string) =>
  createClient<paths>({ baseUrl: base, headers: { Authorization: `Bearer ${token}` } });

/** Records, and submits. */
async function human(link: string) {
  const headers = { 'Content-Type': 'video/webm' };
  const sent = await fetch(`${link}/takes`, { method: 'POST', body: film, headers });
  assert.equal(sent.status, 201);
  const take = sent.headers.get('Location')?.split('/').at(-1);
  const submitted = await fetch(`${link}/submission`, {
    method: 'POST',
    body: JSON.stringify({ take }),
    headers: { 'Content-Type': 'application/json' },
  });
  assert.equal(submitted.status, 200);
}

function refused(answer: { error?: Failure; response: Response }, status: number, code: string) {
  assert.equal(answer.response.status, status);
  assert(answer.error);
  assert.equal(answer.error.error.code, code);
  assert(answer.error.error.message);
}

const create = (hours = 1) =>
  anybody.POST('/v1/requests', { body: { prompt: 'Show the dent.', expires_in_hours: hours } });

refused(await create(72), 400, 'bad_request');
const { data: created } = await create();
const { data: other } = await create();
assert(created && other);
assert.equal(created.status, 'awaiting_submission');

const client = holder(created.access_token);
const path = { id: created.id };
const before = await client.GET('/v1/requests/{id}', { params: { path } });
assert.equal(before.data?.status, 'awaiting_submission');
assert.equal(before.data.video, undefined);
assert.equal(before.data.expires_at, created.expires_at);

const [after] = await Promise.all([
  client.GET('/v1/requests/{id}', { params: { path, header: { Prefer: 'wait=50' } } }),
  human(created.submission_url),
]);
assert.equal(after.data?.status, 'submitted');
const video = after.data.video;
assert(video);
assert.equal(video.url, `${base}/v1/videos/${video.id}`);
assert.equal(video.expires_at, created.expires_at);

const watch = (header: NonNullable<paths['/v1/videos/{id}']['get']['parameters']['header']> = {}) =>
  client.GET('/v1/videos/{id}', { params: { path: { id: video.id }, header }, parseAs: 'arrayBuffer' });

const whole = await watch();
assert.equal(whole.response.status, 200);
assert(whole.data);
const bytes = Buffer.from(whole.data);
// An index, which makes it seekable, stands in front of what was recorded.
assert(bytes.subarray(-film.length).equals(film));
const part = await watch({ Range: 'bytes=100-199' });
assert.equal(part.response.status, 206);
assert.equal(part.response.headers.get('Content-Range'), `bytes 100-199/${bytes.length}`);
assert(part.data);
assert(Buffer.from(part.data).equals(bytes.subarray(100, 200)));
refused(await watch({ Range: `bytes=${bytes.length}-` }), 416, 'range_not_satisfiable');
refused(await watch({ 'If-Match': '"another"' }), 412, 'precondition_failed');

const foreign = await client.GET('/v1/requests/{id}', { params: { path: { id: other.id } } });
refused(foreign, 403, 'forbidden');
refused(await holder('vidence_forged').GET('/v1/requests/{id}', { params: { path } }), 401, 'unauthorized');

const deleted = await client.DELETE('/v1/requests/{id}', { params: { path } });
assert.equal(deleted.response.status, 204);
refused(await client.GET('/v1/requests/{id}', { params: { path } }), 404, 'not_found');
refused(await client.DELETE('/v1/requests/{id}', { params: { path } }), 404, 'not_found');
refused(await watch(), 404, 'not_found');
