// Copies in IndexedDB.

import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { Copy, CopyStore, Owner } from './copies.ts';

interface Schema extends DBSchema {
  copies: { key: [string, number, number, string]; value: Copy; indexes: { person: string; at: number } };
}

const NAME = 'lectern-studio';

/** The store of this browser. Each page load opens it once. */
export async function openCopyStore(): Promise<CopyStore> {
  const database: IDBPDatabase<Schema> = await openDB<Schema>(NAME, 1, {
    upgrade(created) {
      const copies = created.createObjectStore('copies', { keyPath: ['person', 'space', 'story', 'tab'] });
      copies.createIndex('person', 'person');
      copies.createIndex('at', 'at');
    },
    // A newer release of the studio in another tab needs the database, and this one can do without.
    blocking: () => database.close(),
  });
  return {
    async put(copy) {
      await database.put('copies', copy);
    },
    async delete({ person, space, story, tab }: Owner) {
      await database.delete('copies', [person, space, story, tab]);
    },
    of: (person) => database.getAllFromIndex('copies', 'person', person),
    async deleteBefore(time) {
      const transaction = database.transaction('copies', 'readwrite');
      for (let found = await transaction.store.index('at').openCursor(IDBKeyRange.upperBound(time, true)); found; found = await found.continue()) await found.delete();
      await transaction.done;
    },
  };
}
