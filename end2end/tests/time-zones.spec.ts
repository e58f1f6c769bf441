// Whoever reads when all of it is gone reads it by the clock on their own wall.
import { readFileSync } from 'node:fs';
import type { Browser, Locator } from '@playwright/test';
import { Asker, submit } from './asker.ts';
import { type Created, type Database, expect, test } from './vidence.ts';
import { Witness } from './witness.ts';

const FILM = readFileSync('../crates/test-support/fixtures/chromium-vp8-opus.webm');

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Zones that keep the same time all year, and how many minutes they are ahead of UTC. */
const ZONES = [
  ['UTC', 0],
  // A quarter of an hour that no other has.
  ['Asia/Kathmandu', 5 * 60 + 45],
  // The first and the last to begin a day: it is never the same one in both.
  ['Pacific/Kiritimati', 14 * 60],
  ['Pacific/Pago_Pago', -11 * 60],
] as const;

/** Weekday, day, month, hour and minute at a moment where clocks are ahead of UTC by so many minutes. */
function onTheWall(moment: number, ahead: number): { day: string; date: string; time: string } {
  const wall = new Date(moment + ahead * MINUTE);
  const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
  const months = 'January February March April May June July August September October November December'.split(' ');
  const hour = wall.getUTCHours();
  const minutes = String(wall.getUTCMinutes()).padStart(2, '0');
  return {
    day: weekdays[wall.getUTCDay()],
    date: `${months[wall.getUTCMonth()]} ${wall.getUTCDate()}`,
    time: `${hour % 12 || 12}:${minutes} ${hour < 12 ? 'AM' : 'PM'}`,
  };
}

/** Checks what a page in American English says of a moment. */
async function says(shown: Locator, moment: number, ahead: number): Promise<void> {
  const { day, date, time } = onTheWall(moment, ahead);
  // Whatever stands between them, of which Unicode's rules make another thing every few years.
  await expect(shown).toHaveText(new RegExp(`^${day}, ${date}(,| at) ${time.replace(' ', '\\s')}$`));
}

/** Lets a request's time be over at this moment. */
function endsAt(database: Database, created: Created, moment: number): void {
  const createdAt = Date.parse(created.expires_at) - DAY;
  database.expire(created, Math.round((moment - createdAt) / 1000));
}

/** A page of somebody who lives there. */
async function livingIn(browser: Browser, timezoneId: string) {
  const context = await browser.newContext({ timezoneId, locale: 'en-US' });
  return context.newPage();
}

/** Of those that are in a page, that which is shown. */
function until(witness: Witness): Locator {
  return witness.figure('until');
}

test('the recording page says in the time and by the day of its reader when all is gone', async ({
  browser,
  database,
  videnceOnPostgres: vidence,
}) => {
  const created = await vidence.create();
  // Tomorrow at 10:45 by UTC: the day after where days begin first, and today where they end last.
  const tomorrow = new Date(Date.now() + DAY).setUTCHours(10, 45, 30, 0);
  endsAt(database, created, tomorrow);
  const days = new Set<string>();
  for (const [zone, ahead] of ZONES) {
    const page = await livingIn(browser, zone);
    const witness = new Witness(page);
    await page.goto(created.submission_url);
    await expect(witness.does('open-camera')).toBeEnabled();
    await says(until(witness), tomorrow, ahead);
    const told = Date.parse((await until(witness).getAttribute('datetime'))!);
    expect(Math.abs(told - tomorrow)).toBeLessThan(2000);
    days.add(onTheWall(tomorrow, ahead).day);
    await page.context().close();
  }
  expect(days.size).toBe(3);
});

test('without script it says so by UTC, and that it does', async ({ browser, database, videnceOnPostgres: vidence }) => {
  const created = await vidence.create();
  const tomorrow = new Date(Date.now() + DAY).setUTCHours(10, 45, 30, 0);
  endsAt(database, created, tomorrow);
  const [month, day] = onTheWall(tomorrow, 0).date.split(' ');
  for (const [zone] of ZONES) {
    const context = await browser.newContext({ timezoneId: zone, locale: 'en-US', javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(created.submission_url);
    await expect(page.locator('time').filter({ visible: true }).first()).toHaveText(`${day} ${month}, 10:45 UTC`);
    await context.close();
  }
});

test('where clocks change before the end it is said by the clocks of that day', async ({
  browser,
  database,
  videnceOnPostgres: vidence,
}) => {
  // On Newfoundland, half an hour off its neighbours, from 2:00 to 3:00.
  const change = nextSpring() + 5 * HOUR + 30 * MINUTE;
  for (const [moment, ahead] of [
    [change - 30_000, -3.5 * 60],
    [change + 30_000, -2.5 * 60],
  ] as const) {
    const created = await vidence.create();
    endsAt(database, created, moment);
    const page = await livingIn(browser, 'America/St_Johns');
    const witness = new Witness(page);
    await page.goto(created.submission_url);
    await expect(witness.does('open-camera')).toBeEnabled();
    await says(until(witness), moment, ahead);
    await page.context().close();
  }
});

/** The next second Sunday in March that is at least a day away, when it begins by UTC. */
function nextSpring(): number {
  const sunday = (year: number) => {
    const first = new Date(Date.UTC(year, 2, 1)).getUTCDay();
    return Date.UTC(year, 2, 1 + ((7 - first) % 7) + 7);
  };
  const year = new Date().getUTCFullYear();
  return sunday(year) > Date.now() + DAY ? sunday(year) : sunday(year + 1);
}

for (const [zone, ahead] of ZONES) {
  test(`who asked reads in the time of ${zone} when the link ends, and when the video goes`, async ({
    browser,
    vidence,
  }) => {
    const page = await livingIn(browser, zone);
    const asker = new Asker(page);
    const created = await asker.creates(vidence.url('/'));
    const shown = page.locator('.request-header time');
    const ends = Date.parse((await shown.getAttribute('datetime'))!);
    expect(ends).toBeGreaterThan(Date.now());
    await says(shown, ends, ahead);
    await submit(vidence, created, FILM);
    await asker.plays();
    await says(shown, ends, ahead);
    await page.context().close();
  });
}
