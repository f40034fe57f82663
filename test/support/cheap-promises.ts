/**
 * Loaded into every test process. The test runner follows all asynchronous work, to tell whose an error was that nobody caught. Following each promise makes
 * promises cost five times as much, so it follows everything else; an error of a promise that nobody caught still fails its process.
 */
import asyncHooks from 'node:async_hooks'

const { createHook } = asyncHooks

asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false })
