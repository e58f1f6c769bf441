// The home page before there is a request: the scene, the menu, and the first steps of agents and programs.
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { Requester, submitVideo } from '../../support/page/requester.ts';
import { type Created, expect, test } from '../../support/server/vidence.ts';

const VIDEO = readFileSync('../crates/test-support/fixtures/chromium-vp8-opus.webm');

/** After this WCAG 2.2.2 asks for a way to stop motion that began by itself. */
const MAX_MOTION_MS = 5000;

test('the scene moves once, for less than five seconds', async ({ page, vidence }) => {
  await page.goto(vidence.url('/'));
  const motions = await readMotions(page);
  expect(motions.length).toBeGreaterThan(0);
  for (const { repeats, ends } of motions) {
    expect(repeats).toBe(1);
    expect(ends).toBeLessThan(MAX_MOTION_MS);
  }
  await finishMotions(page);
  await expectStoryTold(page);
});

test.describe('where people want less motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('the scene shows its end, and nothing moves', async ({ page, vidence }) => {
    await page.goto(vidence.url('/'));
    expect(await readMotions(page)).toEqual([]);
    await expectStoryTold(page);
  });
});

test('nothing on the home page shifts while it loads', async ({ page, vidence }) => {
  await page.addInitScript(() => {
    const shifts: number[] = ((window as any).shifts = []);
    const note = (list: PerformanceObserverEntryList) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    };
    new PerformanceObserver(note).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(vidence.url('/'));
  await expect(new Requester(page).createButton).toBeEnabled();
  await expect(page.getByRole('button', { name: /^Copy/ }).first()).toBeVisible();
  await finishMotions(page);
  const shifts = await page.evaluate(() => (window as any).shifts as number[]);
  expect(shifts.reduce((sum, it) => sum + it, 0)).toBe(0);
});

test('the menu leads to the pages for developers, and marks the one that is open', async ({ page, vidence }) => {
  await page.goto(vidence.url('/'));
  for (const [name, heading] of [
    ['Agents', 'Use Vidence from an agent'],
    ['API', 'Vidence API'],
    ['Home', 'Ask a human for video evidence'],
  ]) {
    const link = page.getByRole('navigation', { name: 'Vidence' }).getByRole('link', { name, exact: true });
    await link.click();
    await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
    await expect(link).toHaveAttribute('aria-current', 'page');
    await expect(page.locator('[aria-current=page]')).toHaveCount(1);
  }
  await page.goto(vidence.url('/terms'));
  await expect(page.locator('[aria-current=page]')).toHaveCount(0);
});

test('the arrow keys choose between the ways to ask', async ({ page, vidence }) => {
  await page.goto(vidence.url('/'));
  await page.getByRole('radio', { name: 'MCP' }).focus();
  for (const way of ['curl', 'Python', 'MCP']) {
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('radio', { name: way })).toBeFocused();
    await expect(page.getByRole('region', { name: way, exact: true })).toBeVisible();
    await expect(page.locator('.choice__panel:visible')).toHaveCount(1);
  }
});

test('the first steps with curl do what they say', async ({ page, vidence }) => {
  await page.goto(vidence.url('/'));
  await page.getByText('curl', { exact: true }).click();
  const commands = page.getByRole('region', { name: 'curl', exact: true }).locator('code');
  const [ask, wait, watch] = await commands.allTextContents();
  const folder = mkdtempSync(join(tmpdir(), 'curl-'));
  const run = async (command: string, env: Record<string, string> = {}) => {
    const options = { cwd: folder, env: { PATH: process.env.PATH, ...env } };
    return (await promisify(execFile)('bash', ['-c', command], options)).stdout;
  };
  const created = JSON.parse(await run(ask)) as Created;
  await submitVideo(vidence, created, VIDEO);
  const known = { ID: created.id, TOKEN: created.access_token };
  const { video } = JSON.parse(await run(wait, known));
  await run(watch, { ...known, VIDEO: video.id });
  expect(readFileSync(join(folder, 'video.webm')).equals(await vidence.download(created))).toBe(true);
  rmSync(folder, { recursive: true });
});

test('the program in Python asks, waits, and saves the video', async ({ page, context, vidence }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(vidence.url('/'));
  await page.getByText('Python', { exact: true }).click();
  const panel = page.getByRole('region', { name: 'Python', exact: true });
  await panel.getByRole('button', { name: /^Copy/ }).click();
  await expect(panel.getByRole('button', { name: /^Copied/ })).toBeVisible();
  const code = await page.evaluate(() => navigator.clipboard.readText());
  const folder = mkdtempSync(join(tmpdir(), 'python-'));
  const program = spawn('python3', ['-c', code], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((done) => program.once('exit', done));
  for await (const line of createInterface({ input: program.stdout })) {
    const id = /^Send this link: \S+\/r\/(\w+)$/.exec(line)?.[1];
    expect(id, line).toBeDefined();
    await submitVideo(vidence, { id } as Created, VIDEO);
  }
  expect(await ended).toBe(0);
  const saved = readFileSync(join(folder, 'video.webm'));
  // The index that the server puts in front of a recording doesn't change it.
  expect(saved.includes(VIDEO.subarray(-4096))).toBe(true);
  rmSync(folder, { recursive: true });
});

async function readMotions(page: Page): Promise<{ repeats: number; ends: number }[]> {
  return page.locator('.scene').evaluate((scene) =>
    scene.getAnimations({ subtree: true }).map((it) => {
      const { iterations, endTime } = it.effect!.getComputedTiming();
      return { repeats: iterations!, ends: Number(endTime) };
    }),
  );
}

async function finishMotions(page: Page): Promise<void> {
  await page.locator('.scene').evaluate(async (scene) => {
    const motions = scene.getAnimations({ subtree: true });
    motions.forEach((it) => it.finish());
    await Promise.all(motions.map((it) => it.finished));
  });
}

/** All parts of the scene are there: the question, the phone, three pictures and the answer. */
async function expectStoryTold(page: Page): Promise<void> {
  const scene = page.getByRole('img', { name: /^An agent asks/ });
  await expect(scene.getByText('Show me the dent')).toBeVisible();
  await expect(scene.getByText('One dent in the rear door')).toBeVisible();
  await expect(scene.locator('.scene__still')).toHaveCount(3);
  const hidden = (all: Element[]) => all.filter((it) => getComputedStyle(it).opacity === '0').length;
  expect(await scene.locator('.scene__phone, .scene__still, .scene__focus, p, div').evaluateAll(hidden)).toBe(0);
}
