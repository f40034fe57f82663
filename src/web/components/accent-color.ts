/** A partner's accent colour: exact on fills, with readable text on it; adjusted for text and lines on light and dark backgrounds. */

type Rgb = readonly [number, number, number]

const leastContrast = 4.5
const papers = { light: ['#ffffff', '#f6f6f3', '#f0f0ec'], dark: ['#101215', '#191c21', '#22262c'] } as const
/** Our own text colours first; pure black for the few fills on which neither is readable. */
const inks = ['#ffffff', '#0c1114', '#000000'] as const

export function accentCss(accent: string): string {
  const inDark = `{--accent:${darkLineColor(accent)};--fill:${accent};--on-fill:${inkOn(accent)}}`
  return [
    `:root{--accent:${lineColor(accent)};--fill:${accent};--on-fill:${inkOn(accent)}}`,
    `@media screen and (prefers-color-scheme:dark){:root:not([data-theme="light"])${inDark}}`,
    `@media screen{:root[data-theme="dark"]${inDark}}\n`,
  ].join('\n')
}

/** What the colour becomes, in sentences for those who choose it. */
export function contrastSentences(accent: string): readonly string[] {
  const [light, dark, ink] = [lineColor(accent), darkLineColor(accent), inkOn(accent)]
  const ratio = contrastOf(ink, accent).toFixed(1)
  const inkName = ink === inks[0] ? 'white' : 'black'
  return [
    `Buttons have this very colour, with ${inkName} text on it: a contrast of ${ratio} to 1, where 4.5 is enough.`,
    light === accent
      ? 'Links and lines on light pages have this very colour.'
      : `On light pages it is too pale to be read, so links and lines are darker there: ${light}.`,
    dark === accent
      ? 'Links and lines on dark pages have this very colour.'
      : `On dark pages it is too dark to be read, so links and lines are paler there: ${dark}.`,
  ]
}

function darkLineColor(accent: string): string {
  return readable(accent, papers.dark, '#ffffff')
}

/** For text and lines on a light background. */
export function lineColor(accent: string): string {
  return readable(accent, papers.light, '#000000')
}

/** The text colour on a fill. */
export function inkOn(fill: string): string {
  return inks.find((ink) => contrastOf(ink, fill) >= leastContrast) ?? inks[0]
}

/** The nearest mix with black or white that is readable on every background. */
export function readable(accent: string, grounds: readonly string[], towards: string): string {
  for (let share = 0; share < 1; share += 0.02) {
    const mixed = mix(rgbOf(accent), rgbOf(towards), share)
    if (grounds.every((ground) => contrast(mixed, rgbOf(ground)) >= leastContrast)) return hexOf(mixed)
  }
  return towards
}

export function contrastOf(one: string, other: string): number {
  return contrast(rgbOf(one), rgbOf(other))
}

function contrast(one: Rgb, other: Rgb): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((part) => (part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4)) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function mix(one: Rgb, other: Rgb, share: number): Rgb {
  return one.map((part, index) => Math.round(part + ((other[index] as number) - part) * share)) as unknown as Rgb
}

function rgbOf(hex: string): Rgb {
  return [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16)) as unknown as Rgb
}

function hexOf(rgb: Rgb): string {
  return `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
