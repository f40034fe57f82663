/** A process that closes the months that are over, as the service does at night, and tells what it did. */
import { readSettings } from '../../../src/config.ts'
import { openApp } from '../../../src/model/core/app.ts'
import { closeMonths } from '../../../src/model/upkeep/months.ts'

const app = await openApp(readSettings(process.env))
console.log(JSON.stringify(await closeMonths(app, new AbortController().signal)))
await app.close()
