/** The page of a person about themselves: name, dates and time zone, what is mailed to them, and what is stored of them. */

import { Failure, type FailureCode } from '../../lib/failures.ts'
import { type Html, html } from '../../lib/html.ts'
import { sendsMail } from '../../lib/network/smtp.ts'
import { idIn } from '../../lib/text-kinds.ts'
import { askForEmail, waitingEmail } from '../../model/people/me/email-changes.ts'
import { readOwnData } from '../../model/people/me/own-data.ts'
import { endOwnLogin } from '../../model/people/me/own-end.ts'
import { listOwnMails, type OwnMail, switchOwnMail } from '../../model/people/me/own-mails.ts'
import { changeProfile, type Profile, profileState, readProfile } from '../../model/people/me/profile.ts'
import { framed, tokenField } from '../components/layout.ts'
import { passwordField } from '../components/password-field.ts'
import { regionChoices } from '../components/regions.ts'
import { card } from '../components/site-frame.ts'
import { breakable } from '../components/tables.ts'
import { endedSessionCookie } from '../cookies.ts'
import { sentenceOf } from '../error-page.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../page-request.ts'

export async function showMe(request: PersonPageRequest): Promise<PageAnswer> {
  const profile = await readProfile(request.loggedIn.person)
  const main = html`
    <h1>About you</h1>
    <p class="lead">You log in as ${breakable(request.loggedIn.login)}, and mail goes to ${breakable(request.loggedIn.email)}.</p>
    ${request.query.get('saved') === null ? null : html`<p class="notice" role="status">It is saved.</p>`}
    ${request.query.get('asked') === null ? null : html`<p class="notice" role="status">A mail is on its way to the new address. Open its link within a day; nothing changes before.</p>`}
    ${request.wrong === null ? null : html`<p class="notice wrong" role="alert">${request.wrong}</p>`}
    <div class="grid">
      ${card(html`${profileForm(request, profile)}${themeForm(request)}`, 'w6')}
      ${card(emailHtml(request, await waitingEmail(request.loggedIn)), 'w6')}
      ${card(safetyHtml(), 'w6')}
      ${card(mailsHtml(request, await listOwnMails(request.loggedIn)), 'w6')}
      ${card(dataHtml(), 'w6')}
      ${card(endHtml(request), 'w6')}
    </div>
  `
  return { body: framed(request, { title: 'About you', main }) }
}

export async function submitMe(request: PersonPageRequest): Promise<PageAnswer> {
  const { form, loggedIn } = request
  const given = (name: string) => form.get(name) ?? ''
  try {
    switch (given('do')) {
      case 'email':
        await askForEmail(request.visitor, loggedIn, { email: given('email'), current: given('current') })
        return redirect('/me?asked')
      case 'end':
        if (given('sure') !== 'yes') return { wrong: 'Tick that you want to delete your login.', body: '' }
        await endOwnLogin(request.visitor, loggedIn, given('end-password'))
        return redirect('/login?session=deleted', [endedSessionCookie()])
      case 'stop':
        await switchOwnMail(loggedIn, idIn(given('mail')), 'unsubscribed')
        break
      case 'start':
        await switchOwnMail(loggedIn, idIn(given('mail')), 'active')
        break
      default:
        await changeProfile(loggedIn.person, { name: given('name'), region: given('region'), time_zone: given('time_zone') }, given('was'))
    }
    return redirect('/me?saved')
  } catch (error) {
    if (!(error instanceof Failure) || !wrongs.has(error.code)) throw error
    return { wrong: wrongOf(error), body: '' }
  }
}

const wrongs: ReadonlySet<FailureCode> = new Set(['conflict', 'validation_failed', 'too_many_requests'])

const sentences: Readonly<Record<string, string>> = {
  'current_password invalid': 'This is not your password.',
  'email blank': 'Type the new address.',
  'email invalid': 'This is no email address.',
  'email too_long': 'An address has at most 254 characters.',
  'login too_long': 'You log in with your address, and a login has at most 100 characters.',
  'name too_long': 'A name has at most 255 characters.',
  'name not_one_line': 'A name is one line.',
  'time_zone invalid': 'There is no time zone of this name. It is a name such as Europe/Berlin, or UTC.',
}

function wrongOf(failure: Failure): string {
  const fault = failure.details.faults?.[0]
  return sentences[`${fault?.field} ${fault?.code}`] ?? sentenceOf(failure)
}

/** Everything that is stored of the person, as a file. */
export async function myDataJson(request: PersonPageRequest): Promise<PageAnswer> {
  return {
    type: 'application/json; charset=utf-8',
    headers: { 'content-disposition': 'attachment; filename="my-data.json"' },
    body: `${JSON.stringify(await readOwnData(request.loggedIn), null, 2)}\n`,
  }
}

/** What was typed is kept beside a fault; what somebody else changed meanwhile is shown as it is now. */
function profileForm(request: PersonPageRequest, profile: Profile): Html {
  const { form, wrong } = request
  const isKept = wrong !== null && form.get('was') === profileState(profile)
  const value = (name: keyof Profile) => (isKept ? form.get(name) : profile[name]) ?? ''
  return html`
    <h2>You</h2>
    <form method="post" action="/me" class="row-form">
      ${tokenField(request)}
      <input type="hidden" name="was" value="${profileState(profile)}">
      <div class="field">
        <label for="name">Name</label>
        <input id="name" name="name" autocomplete="name" maxlength="255" value="${value('name')}">
      </div>
      ${regionField(request, value('region'))}
      <div class="field">
        <label for="time_zone">Time zone</label>
        <input id="time_zone" name="time_zone" list="zones" autocomplete="off" maxlength="60" placeholder="that of your account" value="${value('time_zone')}">
        <datalist id="zones">${Intl.supportedValuesOf('timeZone').map((zone) => html`<option value="${zone}"></option>`)}</datalist>
      </div>
      <button class="button">Save</button>
    </form>
  `
}

const themes = [
  ['', 'as your device'],
  ['light', 'light'],
  ['dark', 'dark'],
] as const

/** Kept by the browser: a phone may be dark, and a screen at work light. */
function themeForm(request: PersonPageRequest): Html {
  const now = request.theme ?? ''
  return html`
    <form method="post" action="/theme" class="row-form">
      ${tokenField(request)}
      <input type="hidden" name="next" value="/me">
      <div class="field">
        <label for="theme">Pages in this browser are</label>
        <select id="theme" name="theme">${themes.map(([value, label]) => html`<option value="${value}"${value === now ? html` selected` : null}>${label}</option>`)}</select>
      </div>
      <button class="button soft">Use it</button>
    </form>
  `
}

function regionField(request: PersonPageRequest, chosen: string): Html {
  const options = regionChoices(request, 'as your account or your browser asks for')
  return html`
    <div class="field">
      <label for="region">Dates and numbers</label>
      <select id="region" name="region">
        ${options.map(([region, label]) => html`<option value="${region}"${region === chosen ? html` selected` : null}>${label}</option>`)}
      </select>
    </div>
  `
}

function emailHtml(request: PersonPageRequest, waiting: string | null): Html {
  const { app, form, loggedIn, wrong } = request
  const kept = wrong !== null && form.get('do') === 'email' ? form.get('email') : null
  const isByLink = loggedIn.session.openedBy === 'link'
  const asking = html`
    <form method="post" action="/me" class="row-form">
      ${tokenField(request)}
      <div class="field">
        <label for="email">New address</label>
        <input id="email" name="email" type="email" autocomplete="email" maxlength="254" required value="${kept}">
      </div>
      ${isByLink ? null : passwordField('current', 'Your password', 'current-password', undefined)}
      <button class="button" name="do" value="email">Mail me a link there</button>
    </form>
  `
  return html`
    <h2>Your address</h2>
    <p>Mail goes to ${breakable(loggedIn.email)}.${waiting === null ? null : html` The mail to ${breakable(waiting)} waits for you to open its link.`}</p>
    ${sendsMail(app.settings) ? asking : html`<p class="quiet">A new address is confirmed by mail, and this service sends none. The person who gave you your login can change it.</p>`}
  `
}

function safetyHtml(): Html {
  return html`
    <h2>Logging in</h2>
    <ul class="recipients">
      <li><a href="/password">Change your password</a></li>
      <li><a href="/second-factor">A second factor: a code from your phone at each login</a></li>
      <li><a href="/sessions">Where you are logged in</a></li>
    </ul>
  `
}

const states = { active: 'comes to you', unconfirmed: 'waits for the link in the mail that asked you', unsubscribed: 'is stopped' } as const

function mailsHtml(request: PersonPageRequest, mails: readonly OwnMail[]): Html {
  if (mails.length === 0)
    return html`<h2>Reports mailed to you</h2><p class="quiet">No reports are mailed to ${breakable(request.loggedIn.email)}.</p>`
  return html`
    <h2>Reports mailed to you</h2>
    <ul class="recipients">
      ${mails.map(
        ({ id, account_name, rhythm, state }) => html`
          <li>
            ${breakable(account_name)}, ${rhythm === 'weekly' ? 'every week' : 'every month'}: ${states[state]}
            ${state === 'unconfirmed' ? null : mailSwitch(request, id, state === 'active' ? ['stop', 'Stop'] : ['start', 'Send it again'])}
          </li>
        `,
      )}
    </ul>
  `
}

function mailSwitch(request: PersonPageRequest, id: number, [action, label]: readonly [string, string]): Html {
  return html`
    <form method="post" action="/me">
      ${tokenField(request)}
      <input type="hidden" name="mail" value="${id}">
      <button class="button soft" name="do" value="${action}">${label}</button>
    </form>
  `
}

function dataHtml(): Html {
  return html`
    <h2>What is stored of you</h2>
    <p>A file with everything that is stored of your login: what you may see, where you are logged in, what was mailed to you, and what you did.</p>
    <p><a class="button soft" href="/me/data.json">Download it</a></p>
  `
}

function endHtml(request: PersonPageRequest): Html {
  const { app, loggedIn } = request
  if (loggedIn.person.post !== null)
    return html`<h2>Delete your login</h2><p>You work at the desk: an admin removes you from the team first, and says who takes over your customers.</p>`
  const isByLink = loggedIn.session.openedBy === 'link'
  return html`
    <h2>Delete your login</h2>
    <p>You can no longer log in, and what is mailed to you ends; nobody can take your name here. Notes, links and schedules that you made stay with the account.
      ${sendsMail(app.settings) ? 'The owner of the account is told, or whoever looks after it.' : 'Nobody is told.'}</p>
    <form method="post" action="/me" class="row-form">
      ${tokenField(request)}
      ${isByLink ? null : passwordField('end-password', 'Your password', 'current-password', undefined)}
      <label class="check"><input type="checkbox" name="sure" value="yes" required> I want to delete my login</label>
      <button class="button soft" name="do" value="end">Delete my login</button>
    </form>
  `
}
