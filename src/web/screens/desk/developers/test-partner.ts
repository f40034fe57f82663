/** The test partner of a partner: made by one button, filled and emptied, and entered as one of its people. */

import { type Html, html } from '../../../../lib/html.ts'
import { idIn } from '../../../../lib/text-kinds.ts'
import type { StaffCaller } from '../../../../model/core/caller.ts'
import { keyScopes } from '../../../../model/partners/keys/keys.ts'
import {
  createOwnTestPartner,
  emptyTestPartner,
  findOwnTestPartner,
  isTestPartner,
  type TestPartner,
} from '../../../../model/partners/test-partners/test-partners.ts'
import { createTestLink, listTestPeople, type TestPerson } from '../../../../model/people/test-people.ts'
import { framed, tokenField } from '../../../components/layout.ts'
import { card } from '../../../components/site-frame.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'
import { linesHtml } from './ways.ts'

const path = '/desk/developers'

const standings: Readonly<Record<TestPartner['state'], string>> = {
  filling: 'It is being filled: that takes a minute or two. Look at this page again.',
  filled: 'It is filled with customers, people and two months of data, none of which is real.',
  emptying: 'It is being emptied.',
  empty: 'It is empty.',
  refilling: 'It is being emptied, and then filled anew.',
}

/** What the forms about it do, by the name of their button. */
export const testActs = { test: submitTest, 'test-refill': submitTestRefill, 'test-empty': submitTestEmpty, 'test-enter': submitTestEnter }

/** Null for the staff of a test partner. */
export async function testPartnerHtml(request: PersonPageRequest, staff: StaffCaller): Promise<Html | null> {
  if (await isTestPartner(staff.app, staff.partnerId)) return null
  const test = await findOwnTestPartner(staff)
  return html`
    <h2>A test partner</h2>
    <p>Try out programs and pages where nothing is real: a partner of its own, with keys of its own. It says on every page that it is a test, and its mails go to you and the other admins, and to nobody else.</p>
    ${test === null ? html`<form method="post" action="${path}">${tokenField(request)}<button class="button" name="do" value="test">Make a test partner</button></form>` : testHtml(request, test, await listTestPeople(staff))}
  `
}

function testHtml(request: PersonPageRequest, { name, state }: TestPartner, people: readonly TestPerson[]): Html {
  const isAtRest = state === 'filled' || state === 'empty'
  return html`
    <p><strong>${name}</strong>: ${standings[state]}</p>
    ${
      isAtRest
        ? html`
          <form method="post" action="${path}" class="bar-row">
            ${tokenField(request)}
            <button class="button soft" name="do" value="test-refill">${state === 'empty' ? 'Fill it' : 'Empty it and fill it anew'}</button>
            ${state === 'filled' ? html`<button class="button soft" name="do" value="test-empty">Empty it</button>` : null}
          </form>`
        : null
    }
    ${people.length === 0 ? null : enterHtml(request, people)}
  `
}

function enterHtml(request: PersonPageRequest, people: readonly TestPerson[]): Html {
  return html`
    <form method="post" action="${path}" class="row-form">
      ${tokenField(request)}
      <div class="field">
        <label for="person">Look around as</label>
        <select id="person" name="person">${people.map(({ id, login, account, role }) => html`<option value="${id}">${login}, ${role === null ? `of ${account}` : 'at its desk, who can issue more keys'}</option>`)}</select>
      </div>
      <button class="button soft" name="do" value="test-enter">Make a link to log in</button>
    </form>
  `
}

async function submitTest(request: PersonPageRequest, staff: StaffCaller): Promise<PageAnswer> {
  const { key, password } = await createOwnTestPartner(staff)
  const main = html`
    <h1>The test partner is made</h1>
    <p class="notice" role="status">Copy its key and password now: nobody can see them again, not here and not elsewhere. It is being filled meanwhile.</p>
    <div class="grid">
      ${card(
        html`
          <h2>Its key</h2>
          <h3>Key</h3>
          <pre class="copied" tabindex="0" role="group" aria-label="Key">${key}</pre>
          <h3>Password</h3>
          <pre class="copied" tabindex="0" role="group" aria-label="Password">${password}</pre>
        `,
        'w12',
      )}
      ${card(html`<h2>Try it</h2>${linesHtml(request.app.settings.baseUrl, `${key}:${password}`, keyScopes, null)}`, 'w12')}
    </div>
    <p><a href="${path}">To the keys</a></p>
  `
  return { body: framed(request, { title: 'The test partner is made', main }) }
}

async function submitTestRefill(_: PersonPageRequest, staff: StaffCaller): Promise<PageAnswer> {
  await emptyTestPartner(staff, 'filling')
  return redirect(`${path}?done=test`)
}

async function submitTestEmpty(_: PersonPageRequest, staff: StaffCaller): Promise<PageAnswer> {
  await emptyTestPartner(staff, 'empty')
  return redirect(`${path}?done=test`)
}

async function submitTestEnter(request: PersonPageRequest, staff: StaffCaller): Promise<PageAnswer> {
  const { url } = await createTestLink(staff, idIn(request.form.get('person') ?? ''))
  const main = html`
    <h1>A link into the test</h1>
    <p class="notice" role="status">It works once, within 15 minutes. Open it in a private window: in this one it would log you out.</p>
    <pre class="copied" tabindex="0" role="group" aria-label="Link">${url}</pre>
    <p><a href="${path}">To the keys</a></p>
  `
  return { body: framed(request, { title: 'A link into the test', main }) }
}
