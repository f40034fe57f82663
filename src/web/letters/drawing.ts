/** Drawings for mail and PDF: a few shapes that are written as an image or onto a page. */

import { renderAsync } from '@resvg/resvg-js'
import { escapeAttribute, escapeText } from '../../lib/xml/xml.ts'
import type { Picture } from '../../model/partners/brands.ts'
import { faces } from './fonts.ts'

export type DrawnPoint = readonly [x: number, y: number]

export type Drawn =
  | { readonly kind: 'line'; readonly points: readonly DrawnPoint[]; readonly color: string; readonly width: number }
  | { readonly kind: 'dot'; readonly at: DrawnPoint; readonly radius: number; readonly color: string }
  | {
      readonly kind: 'text'
      readonly at: DrawnPoint
      readonly text: string
      readonly size: number
      readonly color: string
      readonly anchor: 'start' | 'middle' | 'end'
    }

export interface Drawing {
  readonly width: number
  readonly height: number
  readonly shapes: readonly Drawn[]
}

/** Mail clients refuse SVG, so the drawing becomes a PNG of twice its size, for high-resolution screens. It is rendered off the main thread. */
export async function pngOf(drawing: Drawing): Promise<Buffer> {
  const font = { fontFiles: [faces.sans.regular], loadSystemFonts: false, defaultFontFamily: 'Noto Sans' }
  const image = await renderAsync(svgOf(drawing), { fitTo: { mode: 'zoom', value: 2 }, background: '#ffffff', font })
  return image.asPng()
}

/** A logo in a box of this size, at its right edge; rendered again, so that a damaged file leaves the box empty instead of breaking the PDF. */
export async function logoPng({ type, bytes }: Picture, width: number, height: number): Promise<Buffer> {
  const href = `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
  const image = `<image width="${width}" height="${height}" preserveAspectRatio="xMaxYMid meet" href="${href}"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${image}</svg>`
  return (await renderAsync(svg, { fitTo: { mode: 'zoom', value: 3 } })).asPng()
}

export function svgOf({ width, height, shapes }: Drawing): string {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Noto Sans">`
  return `${head}${shapes.map(svgShape).join('')}</svg>`
}

function svgShape(shape: Drawn): string {
  const color = escapeAttribute(shape.color)
  switch (shape.kind) {
    case 'line':
      return `<polyline points="${shape.points.map((point) => point.map(rounded).join(',')).join(' ')}" fill="none" stroke="${color}" stroke-width="${shape.width}" stroke-linejoin="round" stroke-linecap="round"/>`
    case 'dot':
      return `<circle cx="${rounded(shape.at[0])}" cy="${rounded(shape.at[1])}" r="${shape.radius}" fill="${color}"/>`
    case 'text':
      return `<text x="${rounded(shape.at[0])}" y="${rounded(shape.at[1])}" font-size="${shape.size}" text-anchor="${shape.anchor}" fill="${color}">${escapeText(shape.text)}</text>`
  }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
