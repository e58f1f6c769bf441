// How a crash of WebKit looks to the tests that drive it: only a crash is worth a second attempt.
import { type AddressInfo, createServer } from 'node:net';
import { EngineCrash } from '../../support/browser/engine_crash.ts';
import { processesOf } from '../../support/browser/process_group.ts';
import { baseTest as test, expect } from '../../support/server/vidence.ts';
import { WebKit } from '../../support/browser/webkit.ts';

test.describe.configure({ retries: 0 });

for (const name of ['MiniBrowser', 'WebKitNetworkPr', 'WebKitWebProces']) {
  test(`the end of ${name} is reported as a crash of the engine`, async () => {
    const webkit = await WebKit.start(true);
    try {
      const tab = await webkit.tab();
      for (const { pid } of processesOf(webkit.pid).filter((it) => it.name === name)) process.kill(pid, 'SIGKILL');
      const driveOn = async () => {
        for (;;) await tab.evaluate(() => {});
      };
      await expect(driveOn()).rejects.toThrow(EngineCrash);
    } finally {
      await webkit.end();
    }
  });
}

test('a crash is reported even if the driver never answers', async () => {
  const webkit = await WebKit.start(true);
  try {
    const tab = await webkit.tab();
    const pidOf = (name: string) => processesOf(webkit.pid).find((it) => it.name === name)!.pid;
    process.kill(pidOf('WebKitWebDriver'), 'SIGSTOP');
    process.kill(pidOf('MiniBrowser'), 'SIGKILL');
    await expect(tab.evaluate(() => {})).rejects.toThrow(EngineCrash);
  } finally {
    await webkit.end();
  }
});

test('a main thread that waits for ever is reported as a crash of the engine', async () => {
  const webkit = await WebKit.start(true);
  const silent = createServer().listen(0, '127.0.0.1');
  try {
    const tab = await webkit.tab();
    const { port } = silent.address() as AddressInfo;
    webkit.patience = 2;
    // The only wait that a page can have its main thread in.
    const waiting = tab.evaluate((url) => {
      const request = new XMLHttpRequest();
      request.open('GET', url, false);
      request.send();
    }, `http://127.0.0.1:${port}`);
    await expect(waiting).rejects.toThrow(EngineCrash);
  } finally {
    silent.close();
    await webkit.end();
  }
});

for (const [what, run] of [
  [
    'is busy for ever',
    () => {
      for (;;);
    },
  ],
  ['never answers', () => new Promise(() => {})],
] as const) {
  test(`a page that ${what} is not reported as a crash of the engine`, async () => {
    const webkit = await WebKit.start(true);
    try {
      const tab = await webkit.tab();
      webkit.patience = 2;
      const [hung] = await Promise.allSettled([tab.evaluate<[], unknown>(run)]);
      const reason = hung.status === 'rejected' ? hung.reason : undefined;
      expect(String(reason)).toContain('WebKitWebProces');
      expect(reason).not.toBeInstanceOf(EngineCrash);
    } finally {
      await webkit.end();
    }
  });
}

test('an error in the page is not reported as a crash of the engine', async () => {
  const webkit = await WebKit.start(true);
  try {
    const tab = await webkit.tab();
    const failing = tab.evaluate(() => {
      throw new Error('of the page');
    });
    await expect(failing).rejects.not.toThrow(EngineCrash);
    expect(await tab.evaluate(() => 1)).toBe(1);
  } finally {
    await webkit.end();
  }
});
