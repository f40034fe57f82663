/** What pages load: stylesheets, scripts, and the pictures of brands. */

import { findPicture } from '../model/partners/brands.ts'
import { findAsset, printCss } from './assets.ts'
import type { PageAnswer, PageRequest } from './page-request.ts'

/** Assets are named by their content, so they never change. */
const forGood = { 'cache-control': 'public, max-age=31536000, immutable', vary: 'Accept-Encoding' }

export function showAsset(request: PageRequest): PageAnswer {
  return { ...findAsset(request.params['name'] ?? ''), headers: forGood }
}

export function showPrintCss({ query }: PageRequest): PageAnswer {
  return { type: 'text/css; charset=utf-8', body: printCss(query.get('left') ?? '', query.get('right') ?? '') }
}

export async function showPicture({ app, params }: PageRequest): Promise<PageAnswer> {
  const { bytes, type } = await findPicture(app, params['picture_id'] ?? '')
  return { type, headers: forGood, body: bytes }
}
