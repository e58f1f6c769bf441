// Runs in the browser, on a page of another origin than the server's.

import Uppy from '@uppy/core';
import Tus from '@uppy/tus';

/** Uploads the recording and returns the upload's URL. */
window.send = async (endpoint) => {
  const recording = await (await fetch('/recording')).blob();
  // Uppy restarts `retryDelays` after each attempt that made progress.
  const uppy = new Uppy().use(Tus, {
    endpoint,
    limit: 1,
    retryDelays: [0, 100, 200, 400, 800, 1600],
  });
  uppy.addFile({ name: 'recording.webm', type: 'video/webm', data: recording });
  const complete = new Promise((resolve) => uppy.once('complete', resolve));
  await uppy.upload();
  const { successful, failed } = await complete;
  if (failed.length > 0) {
    throw new Error(failed[0].error);
  }
  return successful[0].uploadURL;
};
