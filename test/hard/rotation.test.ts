/** The rotation under load, in short. */
import { rotation } from './rotation.ts'
import { tryShort } from './support/short.ts'

tryShort(rotation)
