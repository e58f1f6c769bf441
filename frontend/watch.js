// A service worker that adds the token to the requests of a <video> element, which can't send a header. Its scope is the
// player's page (`/watch/`, an iframe of the home page). For a URL below that page it fetches the video with the token, and
// streams the response; one that the page is led to is saved.
//
// It stores nothing. For each request it asks the page that plays for the token, so nothing is lost when the browser
// stops this worker, and nothing remains when the page is closed.

const TOKEN_TIMEOUT_MS = 5000;

const EXTENSIONS = { "video/webm": "webm", "video/mp4": "mp4", "video/quicktime": "mov", "video/x-matroska": "mkv" };

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const [, video] = /^\/watch\/([0-9A-Za-z]+)$/.exec(pathname) ?? [];
  if (video && request.method === "GET" && origin === self.location.origin) {
    event.respondWith(request.mode === "navigate" ? save(video) : stream(event, video));
  }
});

async function stream({ clientId, request }, video) {
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
  return fetch(`/v1/videos/${video}`, { headers, signal, cache: "no-store", credentials: "omit" });
}

// An attachment leaves the page that asks for it as it is, and so does an answer without content. A browser doesn't say
// which page asks, so the first that has the token answers for all.
async function save(video) {
  const players = await self.clients.matchAll();
  const asked = players.map(async (player) => (await requestToken(player, video)) || Promise.reject());
  const token = await Promise.any(asked).catch(() => undefined);
  const headers = new Headers({ Authorization: `Bearer ${token}` });
  const response = token && (await fetch(`/v1/videos/${video}`, { headers, cache: "no-store", credentials: "omit" }).catch(() => undefined));
  if (!response?.ok) {
    const pages = await self.clients.matchAll({ includeUncontrolled: true });
    pages.filter(({ frameType }) => frameType === "top-level").forEach((page) => page.postMessage("not saved"));
    return new Response(null, { status: 204 });
  }
  const type = response.headers.get("Content-Type");
  const extension = EXTENSIONS[type.split(";")[0]] ?? "mp4";
  return new Response(response.body, {
    headers: {
      "Content-Type": type,
      "Content-Length": response.headers.get("Content-Length"),
      "Content-Disposition": `attachment; filename="video.${extension}"`,
    },
  });
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
