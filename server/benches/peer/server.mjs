// The peer: npm's tus server with its file store, in default settings. Prints its URL.
import { FileStore } from '@tus/file-store';
import { Server } from '@tus/server';

const [directory] = process.argv.slice(2);
const tus = new Server({ path: '/files', datastore: new FileStore({ directory }) });
const http = tus.listen({ host: '127.0.0.1', port: 0 }, () => {
  console.log(`open http://127.0.0.1:${http.address().port}`);
});
