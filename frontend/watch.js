// A service worker that adds the token to the requests of a <video> element and its <track>, which can't send a header.
// Its scope is the player's page (`/watch/`, an iframe of the home page). For a URL below that page it fetches the video,
// or its captions, with the token, and streams the response.
//
// It stores nothing. For each request it asks the page that plays for the token, so nothing is lost when the browser
// stops this worker, and nothing remains when the page is closed.

const TOKEN_TIMEOUT_MS = 5000;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const [, video, captions] = /^\/watch\/([0-9A-Za-z]+)(\/captions\.vtt)?$/.exec(pathname) ?? [];
  const isMedia = request.method === "GET" && request.mode !== "navigate";
  if (video && isMedia && origin === self.location.origin) {
    const path = captions ? `/videos/${video}${captions}` : `/v1/videos/${video}`;
    event.respondWith(stream(event.clientId, request, video, path));
  }
});

async function stream(clientId, request, video, path) {
  const token = await requestToken(await self.clients.get(clientId), video);
  if (!token) {
    return Response.error();
  }
  const headers = new Headers({ Authorization: `Bearer ${token}` });
  for (const name of ["Range", "If-Range"]) {
    if (request.headers.has(name)) {
      headers.set(name, request.headers.get(name));
    }
  }
  const { signal } = request;
  return fetch(path, { headers, signal, cache: "no-store", credentials: "omit" });
}

// `undefined`: the page was closed, or has no token for this video.
async function requestToken(page, video) {
  if (!page) {
    return undefined;
  }
  const { port1, port2 } = new MessageChannel();
  const token = new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
    setTimeout(resolve, TOKEN_TIMEOUT_MS);
  });
  page.postMessage(video, [port2]);
  return token;
}
