/** The staff, for admins: who they are and what they may do; invited, changed, removed. */

import { draftOf } from '../../../fields/read.ts'
import { Failure, invalid, notFound } from '../../../lib/failures.ts'
import { type Html, html } from '../../../lib/html.ts'
import { sendsMail } from '../../../lib/network/smtp.ts'
import { ownEntry } from '../../../lib/own-entry.ts'
import { idIn } from '../../../lib/text-kinds.ts'
import type { StaffCaller } from '../../../model/core/caller.ts'
import { openTeam, type Team, type TeamMember } from '../../../model/dashboard/desk/team.ts'
import { demandSecondFactor } from '../../../model/people/staff/demanded-factors.ts'
import { changeStaffMember, findStaffMember, removeStaffMember } from '../../../model/people/staff/staff.ts'
import { findStaffInvitation, inviteStaff, withdrawStaffInvitation } from '../../../model/people/staff/staff-invitations.ts'
import { staffCallerOf } from '../../../model/people/staff/staff-rules.ts'
import { changedStaffMember, newStaffInvitation } from '../../../resources/user.ts'
import { fieldHtml } from '../../components/fields.ts'
import { framed, tokenField } from '../../components/layout.ts'
import { card } from '../../components/site-frame.ts'
import { breakable } from '../../components/tables.ts'
import { sentenceOf } from '../../error-page.ts'
import { requestLoginLink } from '../../link-requests.ts'
import { type PageAnswer, type PersonPageRequest, redirect } from '../../page-request.ts'
import { memberCard, memberRow, postIn, posts } from './team-member.ts'

const done: Readonly<Record<string, string>> = {
  invited: 'The invitation is on its way.',
  withdrawn: 'The invitation no longer works.',
  changed: 'The change is saved.',
  removed: 'They are no longer of the staff.',
  link: 'A link to log in is on its way to them.',
}

export async function showTeam(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const team = await openTeam(staff)
  const said = ownEntry(done, request.query.get('done'))
  const chosen = idIn(request.form.get('member') ?? request.query.get('member') ?? '')
  const member = team.members.find(({ id }) => id === chosen)
  const main = html`
    <h1>Team</h1>
    <p class="lead">Admins may do everything. Members may do everything but what is on this page, keys and the brand.</p>
    ${said && request.wrong === null ? html`<p class="notice" role="status">${said}</p>` : null}
    ${request.wrong === null ? null : html`<p class="notice wrong" role="alert">${request.wrong}</p>`}
    <div class="grid">
      ${member === undefined ? null : card(memberCard(request, staff, team, member), 'w12')}
      ${card(membersHtml(request, team), 'w12', true)}
      ${card(inviteHtml(request, team), 'w6')}
      ${card(factorHtml(request, team), 'w6')}
    </div>
  `
  return { body: framed(request, { title: 'Team', main }) }
}

type Act = (request: PersonPageRequest, staff: StaffCaller) => Promise<keyof typeof done>

/** What the forms of the page do, by the name of their button. */
const acts: Readonly<Record<string, Act>> = { invite, again, withdraw, change, remove, link, demand }

export async function submitTeam(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const act = ownEntry(acts, request.form.get('do')) ?? notFound('page')
  try {
    const said = await act(request, staff)
    // Whoever is no admin any more has no such page.
    return redirect(said === 'changed' && idIn(request.form.get('member') ?? '') === staff.userId ? '/desk' : `/desk/team?done=${said}`)
  } catch (error) {
    if (!(error instanceof Failure) || !['conflict', 'validation_failed', 'too_many_requests'].includes(error.code)) throw error
    const wrong = error.code === 'validation_failed' ? 'Nothing is changed yet: please look at what is marked below.' : sentenceOf(error)
    return { wrong, faults: error.details.faults ?? [], body: '' }
  }
}

function membersHtml(request: PersonPageRequest, { members }: Team): Html {
  return html`
    <h2>Staff</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Staff">
      <table class="stacks">
        <caption class="sr">Staff with what they may do and how they log in</caption>
        <thead><tr><th scope="col">Person</th><th scope="col">May</th><th scope="col" class="n">Looks after</th><th scope="col" class="n">Second factor</th><th scope="col" class="n">Last login</th></tr></thead>
        <tbody>${members.map((member: TeamMember) => memberRow(request, member))}</tbody>
      </table>
    </div>
  `
}

const emailSentences = {
  blank: 'Please type an email address.',
  invalid: 'This is no email address.',
}

function inviteHtml(request: PersonPageRequest, { invitations }: Team): Html {
  return html`
    <h2>Invite a colleague</h2>
    ${sendsMail(request.app.settings) ? null : html`<p class="notice wrong">This service sends no mail, so that only the operator can invite somebody, by command.</p>`}
    <form method="post" action="/desk/team" class="row-form">
      ${tokenField(request)}
      ${fieldHtml(request, { name: 'email', label: 'Email', type: 'email', isRequired: true, sentences: emailSentences })}
      ${fieldHtml(request, { name: 'post', label: 'May', options: posts }, 'member all')}
      <button class="button" name="do" value="invite">Invite</button>
    </form>
    <p class="quiet">The mail has a link that works once, within seven days.</p>
    ${invitations.length === 0 ? null : html`<h3>Invited</h3><ul class="recipients">${invitations.map((invitation) => invitationLine(request, invitation))}</ul>`}
  `
}

function invitationLine(request: PersonPageRequest, { id, email, expires_at }: Team['invitations'][number]): Html {
  return html`
    <li>
      ${breakable(email)} <span class="quiet">until ${request.words.day(expires_at.slice(0, 10))}</span>
      <form method="post" action="/desk/team" class="bar-row">
        ${tokenField(request)}
        <input type="hidden" name="invitation" value="${id}">
        <button class="button soft" name="do" value="again">Mail it again<span class="sr"> to ${email}</span></button>
        <button class="button soft" name="do" value="withdraw">Withdraw<span class="sr"> the invitation of ${email}</span></button>
      </form>
    </li>
  `
}

function factorHtml(request: PersonPageRequest, { members, demandsSecondFactor: isDemanded }: Team): Html {
  const without = members.filter(({ hasSecondFactor }) => !hasSecondFactor).length
  return html`
    <h2>Second factor</h2>
    <p>${isDemanded ? 'Every colleague needs a second factor: until it is set up, they see the page for it and nothing else.' : 'Colleagues may set up a second factor, and need none.'} ${without === 0 ? 'All have one.' : `${request.words.count(without, 'colleague')} without one.`}</p>
    <form method="post" action="/desk/team">
      ${tokenField(request)}
      <input type="hidden" name="wanted" value="${isDemanded ? 'no' : 'yes'}">
      <button class="button soft" name="do" value="demand">${isDemanded ? 'Leave it to each of them' : 'Demand it of everybody'}</button>
    </form>
  `
}

async function invite({ form }: PersonPageRequest, staff: StaffCaller): Promise<'invited'> {
  await inviteStaff(staff, staff.partnerId, draftOf(newStaffInvitation, { email: form.get('email') ?? '', ...postIn(form.get('post')) }))
  return 'invited'
}

/** The link that was mailed before no longer works. */
async function again({ form }: PersonPageRequest, staff: StaffCaller): Promise<'invited'> {
  const { email, role, customers } = await findStaffInvitation(staff, staff.partnerId, idIn(form.get('invitation') ?? ''))
  await inviteStaff(staff, staff.partnerId, draftOf(newStaffInvitation, { email, role, customers }))
  return 'invited'
}

async function withdraw({ form }: PersonPageRequest, staff: StaffCaller): Promise<'withdrawn'> {
  await withdrawStaffInvitation(staff, staff.partnerId, idIn(form.get('invitation') ?? ''))
  return 'withdrawn'
}

async function change({ form }: PersonPageRequest, staff: StaffCaller): Promise<'changed'> {
  const wanted = draftOf(changedStaffMember, postIn(form.get('new_post')))
  await changeStaffMember(staff, staff.partnerId, idIn(form.get('member') ?? ''), wanted, form.get('was') ?? '')
  return 'changed'
}

async function remove({ form }: PersonPageRequest, staff: StaffCaller): Promise<'removed'> {
  const successor = idIn(form.get('successor') ?? '')
  if (successor === 0) invalid([{ field: 'successor', code: 'blank' }])
  await removeStaffMember(staff, staff.partnerId, idIn(form.get('member') ?? ''), successor)
  return 'removed'
}

async function link(request: PersonPageRequest, staff: StaffCaller): Promise<'link'> {
  const { login } = await findStaffMember(staff, staff.partnerId, idIn(request.form.get('member') ?? ''))
  await requestLoginLink(request, login)
  return 'link'
}

async function demand({ form }: PersonPageRequest, staff: StaffCaller): Promise<'changed'> {
  await demandSecondFactor(staff, staff.partnerId, form.get('wanted') === 'yes')
  return 'changed'
}
