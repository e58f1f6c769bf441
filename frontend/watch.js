// A service worker that lets a <video> element play what needs a token: an element can't send a header.
// It serves the player's page (`/watch/`, a frame of the home page) and nothing else: for an address below
// that page it fetches the video with the token, and passes the answer through as it comes.
//
// It keeps nothing. Each time it asks the very page that wants to play for the token, so nothing is lost
// when the browser stops this worker, and nothing stays behind when the page goes.

const PATIENCE_MS = 5000;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const [, video] = /^\/watch\/([0-9A-Za-z]+)$/.exec(pathname) ?? [];
  const plays = request.method === "GET" && request.mode !== "navigate";
  if (video && plays && origin === self.location.origin) {
    event.respondWith(play(event.clientId, request, video));
  }
});

async function play(clientId, request, video) {
  const token = await tokenOf(await self.clients.get(clientId), video);
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
  return fetch(`/v1/videos/${video}`, { headers, signal, cache: "no-store", credentials: "omit" });
}

// `undefined`: the page has gone, or has none for this video.
async function tokenOf(page, video) {
  if (!page) {
    return undefined;
  }
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
    setTimeout(resolve, PATIENCE_MS);
  });
  page.postMessage(video, [port2]);
  return answer;
}
