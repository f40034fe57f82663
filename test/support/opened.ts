/** The store of a place, opened for one piece of work; both are gone afterwards. */
import { readSettings } from '../../src/config.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import type { Place } from './engines.ts'

export async function withStore(made: Promise<Place>, work: (store: Store, place: Place) => Promise<void>): Promise<void> {
  const place = await made
  const store = openStore(readSettings(place.env))
  try {
    await work(store, place)
  } finally {
    await store.close()
    await place.remove()
  }
}
