// What the request asks to show can be read in the picture of the moment at which the person ticked it.
import { Chromium } from '../../support/browser/chromium.ts';
import { FRAME, FilmedPlates, type Plate, WHITE, YELLOW, readPlate } from '../../support/device/filmed_plates.ts';
import { TextReader } from '../../support/ocr.ts';
import { Witness } from '../../support/page/witness.ts';
import { type Created, expect, test } from '../../support/server/vidence.ts';

test('a serial number can be read in the full picture of the moment that was ticked', async ({ vidence }) => {
  const reader = new TextReader();
  const created = await vidence.createRequest('Show the label of the old pump.\nShow the label.');
  const duration = await recordLabel(created);

  // From here on the agent, which has link and token, and nothing of the browser.
  const { ticks, properties } = await vidence.fetchMetadata(created);
  expect([properties.width, properties.height]).toEqual([FRAME.width, FRAME.height]);
  expect(ticks).toMatchObject([{ text: 'Show the label of the old pump.' }, { text: 'Show the label.' }]);
  const read = async (at_ms: number) => reader.read(await vidence.fullPicture(created, at_ms));
  const shown = await read(ticks[1].at_ms);
  expect(shown).toContain(WHITE.serial);
  expect(shown).not.toContain(YELLOW.serial);
  // The other plate is as legible: the moment decides what is read.
  for (const at_ms of [ticks[0].at_ms, 1000 * duration]) {
    const other = await read(at_ms);
    expect(other).toContain(YELLOW.serial);
    expect(other).not.toContain(WHITE.serial);
  }
});

/** Films and ticks the yellow plate and then the white one, and films the yellow one again. Returns the duration. */
async function recordLabel(created: Created): Promise<number> {
  const plates = new FilmedPlates();
  const browser = new Chromium();
  try {
    const witness = new Witness(await (await browser.start(plates.flag)).newPage());
    const waitForPlate = (plate: Plate) =>
      expect.poll(() => readPlate(witness.liveVideo), { intervals: [100], timeout: 30_000 }).toEqual(plate);
    await witness.open(created.submission_url);
    await witness.turnOnCamera();
    const tick = (step: number) => witness.page.locator('.step input').nth(step).check({ force: true });
    // Away from the change of plates: the picture of a moment may be that of the nearest key frame, one each second.
    const goOn = async () => witness.waitForSeconds((await witness.seconds('recorded')) + 2);
    await witness.recordFor(1);
    await waitForPlate(WHITE);
    await waitForPlate(YELLOW);
    await goOn();
    await tick(0);
    await waitForPlate(WHITE);
    await goOn();
    await tick(1);
    await waitForPlate(YELLOW);
    await goOn();
    await witness.stopRecording();
    const duration = await witness.waitForDuration(4);
    await witness.submit();
    return duration;
  } finally {
    await browser.end();
    plates.remove();
  }
}
