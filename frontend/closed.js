// A link is over: what this browser keeps of a recording for it goes. What is kept for others goes when a link is opened
// that isn't over, by the server's clock. The names are those of `browser/indexed_db`.

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

/** Removes what is kept for this request. */
async function clear(database) {
  const clearing = database.transaction(["takes", "pieces"], "readwrite");
  const [takes, pieces] = ["takes", "pieces"].map((name) => clearing.objectStore(name));
  const record = await found(takes.get(here));
  if (record) {
    takes.delete(here);
    // An array sorts behind every number: all pieces of that name.
    pieces.delete(IDBKeyRange.bound([record.name], [record.name, []]));
  }
}

try {
  const database = await open();
  await clear(database);
  database.close();
} catch {
  // Nothing is kept here, or the browser doesn't let go of it now: the next visit to a link tries again.
}
