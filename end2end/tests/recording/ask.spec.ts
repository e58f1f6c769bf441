// One command asks, and a person with a browser answers.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from '../../support/server/vidence.ts';
import { RecorderSpy } from '../../support/page/recorder_spy.ts';
import { Witness } from '../../support/page/witness.ts';

test('one command asks a person, waits, saves what they recorded, and deletes it', async ({ page, vidence }) => {
  const asked = ['ask', 'Show the dent.', '--server', vidence.url('/'), '--out', 'evidence', '--json'];
  const command = spawn(join(vidence.dataDir, 'vidence'), asked, {
    cwd: vidence.dataDir,
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => command.once('exit', resolve));
  const steps = createInterface({ input: command.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await steps.next()).value);

  const created = await next();
  const witness = new Witness(page);
  await witness.open(created.submission_url);
  await expect(page.getByText('Show the dent.')).toBeVisible();
  await witness.turnOnCamera();
  await witness.recordFor(8);
  await witness.stopRecording();
  await witness.submit();
  await expect(page.getByRole('heading', { name: 'Sent. Thank you!' })).toBeVisible();

  expect((await next()).event).toBe('submitted');
  const saved = await next();
  expect(saved.event).toBe('saved');
  expect((await next()).event).toBe('deleted');
  expect(await ended).toBe(0);

  const folder = join(vidence.dataDir, 'evidence');
  expect(readdirSync(folder).sort()).toEqual([...saved.files].sort());
  RecorderSpy.expectSealed(readFileSync(join(folder, saved.video)), witness.spy.bytes());
  expect(saved.metadata.arrival.while_recorded).toBe(true);
  expect(saved.metadata.stills.pictures.length).toBeGreaterThan(0);
  expect(saved.receipt_valid).toBe(true);
  await page.goto(created.submission_url);
  await expect(page.getByRole('heading', { name: 'There is nothing at this link' })).toBeVisible();
});
