/** Editors of an account: listed, shown, added, removed. */

import { addEditor, findEditor, listEditors, removeEditor } from '../../../model/people/staff/editors.ts'
import type { Call } from '../../endpoint.ts'

export function index({ caller, ids: [account] }: Call) {
  return listEditors(caller, account)
}

export function show({ caller, ids: [account, user = 0] }: Call) {
  return findEditor(caller, account, user)
}

export function add({ caller, ids: [account, user = 0] }: Call) {
  return addEditor(caller, account, user)
}

export function remove({ caller, ids: [account, user = 0] }: Call) {
  return removeEditor(caller, account, user)
}
