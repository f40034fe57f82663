/** What pages and their assets answer where BASE_URL has a path, below which none of their links would lead. What programs read goes on. */

import type { Door } from '../http/server.ts'
import { basePath } from '../lib/network/base-path.ts'
import type { App } from '../model/core/app.ts'
import { respond } from './respond.ts'

const forPrograms = /^\/(openapi(-xml)?\.json|schema\/|llms\.txt|\.well-known\/)/

export function unlessMisplaced({ settings }: App, door: Door): Door {
  const path = basePath(settings)
  if (path === null) return door
  const body = `The pages of this service are not shown, because its address BASE_URL has the path ${path}: pages and their assets live at the root of a host.\n\nWhoever operates it gives it a host name of its own and sets BASE_URL without a path. The API goes on.\n`
  return {
    takes: door.takes,
    answer: (exchange) =>
      forPrograms.test(exchange.request.url ?? '')
        ? door.answer(exchange)
        : respond(exchange, { status: 503, type: 'text/plain; charset=utf-8', body }),
  }
}
