// Times are shown in the time zone of the reader.
import { readFileSync } from 'node:fs';
import type { Browser, Locator } from '@playwright/test';
import { Requester, submitVideo } from '../../support/page/requester.ts';
import { type Created, type Database, expect, test } from '../../support/server/vidence.ts';
import { Witness } from '../../support/page/witness.ts';

const VIDEO = readFileSync('../crates/test-support/fixtures/chromium-vp8-opus.webm');

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Zones without daylight saving time, and their offsets from UTC in minutes. */
const ZONES = [
  ['UTC', 0],
  // An offset with a quarter of an hour.
  ['Asia/Kathmandu', 5 * 60 + 45],
  // The first and the last zone to begin a day: their dates always differ.
  ['Pacific/Kiritimati', 14 * 60],
  ['Pacific/Pago_Pago', -11 * 60],
] as const;

/** Weekday, date and time of a moment at this offset from UTC in minutes. */
function localTime(moment: number, ahead: number): { day: string; date: string; time: string } {
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

/** Checks how a page in American English shows a moment. */
async function expectTime(shown: Locator, moment: number, ahead: number): Promise<void> {
  const { day, date, time } = localTime(moment, ahead);
  // The words in between change with versions of Unicode’s CLDR.
  await expect(shown).toHaveText(new RegExp(`^${day}, ${date}(,| at) ${time.replace(' ', '\\s')}$`));
}

/** Lets a request expire at this moment. */
function expireAt(database: Database, created: Created, moment: number): void {
  const createdAt = Date.parse(created.expires_at) - DAY;
  database.expire(created, Math.round((moment - createdAt) / 1000));
}

/** Opens a page in this time zone. */
async function openPageIn(browser: Browser, timezoneId: string) {
  const context = await browser.newContext({ timezoneId, locale: 'en-US' });
  return context.newPage();
}

/** The visible expiry of the page. */
function expiryOf(witness: Witness): Locator {
  return witness.figure('until');
}

test('the recording page shows the expiry in the time zone of its reader', async ({
  browser,
  database,
  videnceOnPostgres: vidence,
}) => {
  const created = await vidence.createRequest();
  // Tomorrow at 10:45 UTC: the day after in the first zone of the day, and today in the last one.
  const tomorrow = new Date(Date.now() + DAY).setUTCHours(10, 45, 30, 0);
  expireAt(database, created, tomorrow);
  const days = new Set<string>();
  for (const [zone, ahead] of ZONES) {
    const page = await openPageIn(browser, zone);
    const witness = new Witness(page);
    await page.goto(created.submission_url);
    await expect(witness.action('open-camera')).toBeEnabled();
    await expectTime(expiryOf(witness), tomorrow, ahead);
    const told = Date.parse((await expiryOf(witness).getAttribute('datetime'))!);
    expect(Math.abs(told - tomorrow)).toBeLessThan(2000);
    days.add(localTime(tomorrow, ahead).day);
    await page.context().close();
  }
  expect(days.size).toBe(3);
});

test('without JavaScript the recording page shows the expiry in UTC', async ({
  browser,
  database,
  videnceOnPostgres: vidence,
}) => {
  const created = await vidence.createRequest();
  const tomorrow = new Date(Date.now() + DAY).setUTCHours(10, 45, 30, 0);
  expireAt(database, created, tomorrow);
  const [month, day] = localTime(tomorrow, 0).date.split(' ');
  for (const [zone] of ZONES) {
    const context = await browser.newContext({ timezoneId: zone, locale: 'en-US', javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(created.submission_url);
    await expect(page.locator('time').filter({ visible: true }).first()).toHaveText(`${day} ${month}, 10:45 UTC`);
    await context.close();
  }
});

test('the expiry accounts for a clock change before it', async ({ browser, database, videnceOnPostgres: vidence }) => {
  // In Newfoundland, whose offset has half an hour, clocks go from 2:00 to 3:00.
  const change = nextSpringChange() + 5 * HOUR + 30 * MINUTE;
  for (const [moment, ahead] of [
    [change - 30_000, -3.5 * 60],
    [change + 30_000, -2.5 * 60],
  ] as const) {
    const created = await vidence.createRequest();
    expireAt(database, created, moment);
    const page = await openPageIn(browser, 'America/St_Johns');
    const witness = new Witness(page);
    await page.goto(created.submission_url);
    await expect(witness.action('open-camera')).toBeEnabled();
    await expectTime(expiryOf(witness), moment, ahead);
    await page.context().close();
  }
});

/** The second Sunday in March at 0:00 UTC, the next one that is at least a day away. */
function nextSpringChange(): number {
  const sunday = (year: number) => {
    const first = new Date(Date.UTC(year, 2, 1)).getUTCDay();
    return Date.UTC(year, 2, 1 + ((7 - first) % 7) + 7);
  };
  const year = new Date().getUTCFullYear();
  return sunday(year) > Date.now() + DAY ? sunday(year) : sunday(year + 1);
}

for (const [zone, ahead] of ZONES) {
  test(`the console shows the expiry of link and video in ${zone}`, async ({ browser, vidence }) => {
    const page = await openPageIn(browser, zone);
    const requester = new Requester(page);
    const created = await requester.createRequest(vidence.url('/'));
    const shown = page.locator('.console time');
    const ends = Date.parse((await shown.getAttribute('datetime'))!);
    expect(ends).toBeGreaterThan(Date.now());
    await expectTime(shown, ends, ahead);
    await submitVideo(vidence, created, VIDEO);
    await requester.waitForDuration();
    await expectTime(shown, ends, ahead);
    await page.context().close();
  });
}
