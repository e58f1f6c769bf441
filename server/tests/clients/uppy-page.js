// Runs in the browser, on a page of another origin than the server's.

import Uppy from '@uppy/core';
import Tus from '@uppy/tus';

/** Uploads the film and returns the upload's URL. */
window.send = async (endpoint) => {
  const film = await (await fetch('/film')).blob();
  // `retryDelays` begin anew after each attempt that brought the upload forward.
  const uppy = new Uppy().use(Tus, {
    endpoint,
    limit: 1,
    retryDelays: [0, 100, 200, 400, 800, 1600],
  });
  uppy.addFile({ name: 'film.webm', type: 'video/webm', data: film });
  const complete = new Promise((resolve) => uppy.once('complete', resolve));
  await uppy.upload();
  const { successful, failed } = await complete;
  if (failed.length > 0) {
    throw new Error(failed[0].error);
  }
  return successful[0].uploadURL;
};
