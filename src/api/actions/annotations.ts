/** Annotations of the partner's sites: listed, shown, added, deleted. */

import { readDraft } from '../../fields/read.ts'
import { findAnnotation, listManagedAnnotations, pinAnnotation, unpinAnnotation } from '../../model/dashboard/managed-annotations.ts'
import { newAnnotation } from '../../resources/annotation.ts'
import type { Call } from '../endpoint.ts'
import type { annotationFilters } from '../parameters.ts'

export function index({ caller, query: { after, ...narrow } }: Call<typeof annotationFilters>) {
  return listManagedAnnotations(caller, after, narrow)
}

export function show({ caller, ids: [id] }: Call) {
  return findAnnotation(caller, id)
}

export function create({ caller, body }: Call) {
  return pinAnnotation(caller, readDraft(newAnnotation, body))
}

export function remove({ caller, ids: [id] }: Call) {
  return unpinAnnotation(caller, id)
}
