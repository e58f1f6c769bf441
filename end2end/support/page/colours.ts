// The colours in a picture, told by their names.
import type { Page } from '@playwright/test';

/** From the left and from the top, as parts of width and height. */
type Point = readonly [number, number];

/** `red`, `blue`, or the three components, at each of the points of a picture that the browser can read. */
export const coloursAt = (page: Page, picture: Buffer, points: readonly Point[]): Promise<string[]> =>
  page.evaluate(
    async ({ base64, points }) => {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      const picture = await createImageBitmap(new Blob([bytes]));
      const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d')!;
      canvas.drawImage(picture, 0, 0);
      return points.map(([x, y]) => {
        const point = canvas.getImageData(Math.floor(picture.width * x), Math.floor(picture.height * y), 1, 1);
        const [red, green, blue] = point.data;
        if (green < 60 && red > 180 && blue < 60) return 'red';
        return green < 60 && blue > 180 && red < 60 ? 'blue' : `${red} ${green} ${blue}`;
      });
    },
    { base64: picture.toString('base64'), points },
  );

/** Width and height of a picture that the browser can read. */
export const sizeOf = (page: Page, picture: Buffer): Promise<[number, number]> =>
  page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const { width, height } = await createImageBitmap(new Blob([bytes]));
    return [width, height] as [number, number];
  }, picture.toString('base64'));
