/** The stylesheet, the script and the logo, named by a hash of their content so that browsers cache them forever. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { notFound } from '../lib/failures.ts'
import { accentCss } from './components/accent-color.ts'

interface Asset {
  readonly type: string
  readonly body: string
}

const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' } as const
const files = new Map<string, Asset>()

export const assetPaths = { style: keep('style.css'), script: keep('app.js'), mark: keep('mark.svg'), dot: keep('dot.svg') }

export function accentPath(accent: string): string {
  return `/assets/accent-${accent.slice(1)}.css`
}

export function findAsset(name: string): Asset {
  const accent = /^accent-([0-9a-f]{6})\.css$/.exec(name)?.[1]
  return accent === undefined ? (files.get(name) ?? notFound('page')) : { type: types.css, body: accentCss(`#${accent}`) }
}

/** The running head of printed pages. Its texts come from the query, so they are escaped for CSS. */
export function printCss(left: string, right: string): string {
  const page = `@top-left{content:${cssText(left)}}@top-right{content:${cssText(right)}}`
  const number = '@bottom-right{content:counter(page) " of " counter(pages)}'
  return `@page{${page}${number}}@page:first{@top-left{content:none}@top-right{content:none}}\n`
}

function cssText(text: string): string {
  const safe = [...text.slice(0, 300)].map((letter) => (/[A-Za-z0-9 ]/.test(letter) ? letter : `\\${letter.codePointAt(0)?.toString(16)} `))
  return `"${safe.join('')}"`
}

function keep(file: string): string {
  const body = readFileSync(new URL(`assets/${file}`, import.meta.url), 'utf8')
  const [name, ending] = file.split('.') as [string, keyof typeof types]
  const hashed = `${name}-${createHash('sha256').update(body).digest('hex').slice(0, 12)}.${ending}`
  files.set(hashed, { type: types[ending], body })
  return `/assets/${hashed}`
}
