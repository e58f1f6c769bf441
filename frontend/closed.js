// A link is over: what this browser keeps of a recording for it goes, and with it whatever else is past its
// time. The names are those of `browser/store` and `recorder/visits`.

const [, here] = location.pathname.match(/^\/r\/([^/]+)$/) ?? [];

/** What a request of the database finds. */
function found(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** As it is there. One that isn't gets no further than this, and fails. */
function open() {
  const opening = indexedDB.open("vidence", 1);
  opening.onupgradeneeded = () => opening.transaction.abort();
  return found(opening);
}

/** Removes what is kept for requests that are over; returns which those are. */
async function clear(database) {
  const clearing = database.transaction(["takes", "pieces"], "readwrite");
  const [takes, pieces] = ["takes", "pieces"].map((name) => clearing.objectStore(name));
  const [requests, records] = await Promise.all([found(takes.getAllKeys()), found(takes.getAll())]);
  const over = [];
  for (const [index, { name, expiresAt }] of records.entries()) {
    const request = requests[index];
    if (request !== here && !(expiresAt <= Date.now())) {
      continue;
    }
    over.push(request);
    takes.delete(request);
    // An array sorts behind every number: all pieces of that name.
    pieces.delete(IDBKeyRange.bound([name], [name, []]));
  }
  return over;
}

let over = [];
try {
  const database = await open();
  over = await clear(database);
  database.close();
} catch {
  // Nothing is kept here, or the browser doesn't let go of it now: the next visit to a link tries again.
}

try {
  const [request] = localStorage.getItem("vidence.visit")?.split(" ") ?? [];
  // Not that of a request that goes on: after a reload its visit would be taken for another device.
  if (request === here || over.includes(request)) {
    localStorage.removeItem("vidence.visit");
  }
} catch {
  // Some browsers remember nothing for us.
}
