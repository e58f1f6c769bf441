// The peer: npm's tus server with its file store, in default settings, which never syncs. With `--sync` it promises what
// the product promises: a file and its folder are synced before the answer. Prints its URL.
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { FileStore } from '@tus/file-store';
import { Server } from '@tus/server';

class DurableStore extends FileStore {
  async write(stream, id, offset) {
    const end = await super.write(stream, id, offset);
    for (const path of [join(this.directory, id), this.directory]) {
      const handle = await open(path);
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    }
    return end;
  }
}

const [directory, sync] = process.argv.slice(2);
const Store = sync === '--sync' ? DurableStore : FileStore;
const tus = new Server({ path: '/files', datastore: new Store({ directory }) });
const http = tus.listen({ host: '127.0.0.1', port: 0 }, () => {
  console.log(`open http://127.0.0.1:${http.address().port}`);
});
