/** A mail in the brand of an account: plain text and HTML that every mail client can show, with embedded images. */

import type { SendMailOptions } from 'nodemailer'
import { type Html, html, raw } from '../../lib/html.ts'
import type { Picture } from '../../model/partners/brands.ts'
import { inkOn, lineColor } from '../components/accent-color.ts'

export interface Letter {
  readonly senderName: string
  readonly replyTo?: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly headers?: Readonly<Record<string, string>>
  readonly attachments?: NonNullable<SendMailOptions['attachments']>
}

/** To whom a letter goes, by the id of the recipient or the invitation, and the token of its links. */
export interface Addressed {
  readonly recipientId: number
  readonly token: string
  /** The rhythms of the reports that an invitation names. */
  readonly reports?: readonly ('weekly' | 'monthly')[]
}

export interface Letterhead {
  readonly brandName: string
  readonly senderName: string
  readonly logo: Picture | null
  /** An email address or a page for questions. */
  readonly support: string | null
  /** The address of the reader's pages. */
  readonly home: string
  readonly accent: string
}

/** The parts of the mail that follow from the brand. */
export function envelopeOf({ senderName, support, logo }: Letterhead) {
  return {
    senderName,
    ...(support && !isPage(support) && { replyTo: support }),
    attachments: isMailable(logo)
      ? [{ cid: logoCid, content: Buffer.from(logo.bytes), contentType: logo.type, contentDisposition: 'inline' as const }]
      : [],
  }
}

const logoCid = 'logo@brand'

/** Many mail clients do not show WebP. */
function isMailable(logo: Picture | null): logo is Picture {
  return logo !== null && ['image/png', 'image/jpeg'].includes(logo.type)
}

export function supportText({ support }: Letterhead): string {
  return support === null ? '' : `Questions? ${support}`
}

function isPage(support: string): boolean {
  return support.startsWith('https://')
}

const font = 'font-family:Segoe UI,Helvetica,Arial,sans-serif;line-height:1.5'

/** Mail clients drop style sheets, so each element has inline styles; tables make the layout, because Outlook knows no widths of other elements. */
export const styles = {
  page: 'margin:0;padding:0;background:#f4f4f1',
  sheet: `${font};padding:28px;color:#1b1c22;font-size:16px`,
  title: 'font-size:22px;line-height:1.3;margin:0 0 4px',
  heading: 'font-size:18px;line-height:1.3;margin:28px 0 4px',
  small: 'font-size:15px;line-height:1.3;margin:16px 0 4px',
  quiet: 'color:#5a5d66;font-size:14px;margin:0 0 12px',
  paragraph: 'margin:0 0 12px',
  foot: `${font};padding:16px 0 0;color:#5a5d66;font-size:13px`,
}

export function letterHtml(head: Letterhead, main: Html, foot: Html): string {
  const { brandName, home, logo } = head
  return String(html`${raw('<!doctype html>')}
<html lang="en">
<head>
<meta charset="utf-8">
<title>${brandName}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<meta name="supported-color-schemes" content="light">
</head>
<body style="${styles.page}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" bgcolor="#f4f4f1"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="640" cellpadding="0" cellspacing="0" bgcolor="#ffffff" style="width:100%;max-width:640px;background:#ffffff;border-radius:8px"><tr><td align="left" style="${styles.sheet}">
<p style="${styles.quiet}"><a href="${home}" style="color:inherit;text-decoration:none">${isMailable(logo) ? html`<img src="cid:${logoCid}" alt="${brandName}" height="32" style="height:32px;vertical-align:middle;font-weight:bold">` : html`<strong>${brandName}</strong>`}</a></p>
${main}
</td></tr></table>
<table role="presentation" width="640" cellpadding="0" cellspacing="0" style="width:100%;max-width:640px"><tr><td align="left" style="${styles.foot}">${foot}${supportLink(head)}</td></tr></table>
</td></tr></table>
</body>
</html>
`)
}

function supportLink({ support }: Letterhead): Html | null {
  return support === null
    ? null
    : html` Questions? <a href="${isPage(support) ? support : `mailto:${support}`}" style="color:inherit">${support}</a>`
}

/** The mail as a page by itself, with its pictures in it. */
export function letterPage({ html: text, attachments = [] }: Pick<Letter, 'html' | 'attachments'>): string {
  return attachments.reduce((whole, { cid, content, contentType }) => {
    const picture = Buffer.from(content as Uint8Array).toString('base64')
    return whole.replaceAll(`cid:${cid}`, `data:${contentType};base64,${picture}`)
  }, text)
}

/** A link drawn as a button, in the colour of the brand; the cell has it too, because Outlook does not fill a link. */
export function buttonLink({ accent }: Letterhead, href: string, label: string): Html {
  const look = `display:inline-block;background:${accent};color:${inkOn(accent)};border:1px solid ${lineColor(accent)};padding:12px 20px;border-radius:6px;text-decoration:none;font-weight:600`
  return html`<table role="presentation" cellpadding="0" cellspacing="0" style="margin:20px 0"><tr><td bgcolor="${accent}" style="border-radius:6px"><a href="${href}" style="${look}">${label}</a></td></tr></table>`
}
