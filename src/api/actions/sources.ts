/** Sources of the partner: listed, shown, made, changed, removed, and asked to run at once. */

import { readDraft } from '../../fields/read.ts'
import { changeSource, findSource, listSourceSites, listSources, makeSource, removeSource, runSource } from '../../model/sources/sources.ts'
import { changedSource, newSource } from '../../resources/imports/source.ts'
import type { Call } from '../endpoint.ts'
import type { inPages } from '../parameters.ts'

export function index({ caller, query: { after } }: Call<typeof inPages>) {
  return listSources(caller, after)
}

export function show({ caller, ids: [id] }: Call) {
  return findSource(caller, id)
}

export function create({ caller, body }: Call) {
  return makeSource(caller, caller.partnerId, readDraft(newSource, body))
}

export function change({ caller, ids: [id], body }: Call) {
  return changeSource(caller, id, readDraft(changedSource, body))
}

export function remove({ caller, ids: [id] }: Call) {
  return removeSource(caller, id)
}

export function run({ caller, ids: [id] }: Call) {
  return runSource(caller, id)
}

export function sites({ caller, ids: [id], query: { after } }: Call<typeof inPages>) {
  return listSourceSites(caller, id, after)
}
