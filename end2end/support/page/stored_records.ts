// What a page keeps on the device, counted in the page itself.

/** How many records the page's databases hold: pieces of recordings, and facts of takes. */
export async function countStoredRecords(): Promise<number> {
  let records = 0;
  for (const { name } of await indexedDB.databases()) {
    const opening = indexedDB.open(name!);
    await new Promise((done) => (opening.onsuccess = done));
    for (const store of opening.result.objectStoreNames) {
      const counting = opening.result.transaction(store).objectStore(store).count();
      await new Promise((done) => (counting.onsuccess = done));
      records += counting.result;
    }
    opening.result.close();
  }
  return records;
}
