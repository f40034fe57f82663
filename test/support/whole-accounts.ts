/** A partner with everything that an account can have, and the lines in which it goes out. */
import assert from 'node:assert/strict'
import { readNdjson } from '../../src/model/imports/formats.ts'
import { importObservations } from '../../src/model/imports/import.ts'
import { exportAccounts } from '../../src/model/transfers/export-accounts.ts'
import { bytesOf } from './data.ts'
import type { TestPartner, TestService } from './service.ts'

/** A partner with two accounts: two businesses of one name, sites, people with rights, and everything else that an account can have. */
export async function fill({ operator, app }: TestService, partner: TestPartner, name: string, records: readonly object[]): Promise<void> {
  const now = '2026-11-01T00:00:00Z'
  const times = { created_at: now, updated_at: now }
  const other = await app.store.write((tx) =>
    insertId(tx, 'accounts', { partner_id: partner.id, name: 'Other', owner_id: null, time_zone: 'Europe/Berlin', ...times }),
  )
  const accounts = [partner.accountId, other]
  await app.store.write(async (tx) => {
    const businesses: number[] = []
    for (const account_id of [...accounts, partner.accountId])
      businesses.push(await insertId(tx, 'businesses', { account_id, name: 'Same name', aasm_state: 'active', ...times }))
    const places = [
      [0, 0, 'site.example'],
      [1, 1, 'site.example'],
      [0, 2, 'second.example'],
    ] as const
    const sites: number[] = []
    for (const [account, business, domain] of places)
      sites.push(await insertId(tx, 'sites', { account_id: accounts[account], business_id: businesses[business], domain, ...times }))
    for (const [i, account_id] of accounts.entries()) {
      const values = {
        account_id,
        email: `${name}-${i}@people.example`,
        login: `${name}-${i}`,
        name: `Name ${i}`,
        salt: `salt-${name}`,
        state: i === 0 ? 'active' : 'suspended',
        activated_at: now,
        activation_code: null,
        cached_slug: null,
        ...times,
        created_by: null,
        updated_by: null,
        deleted_at: null,
        last_login_at: null,
        current_site_id: sites[i],
        current_step_id: 1,
        invitation_count: 2,
        is_seo_pro: 1,
        is_web_dev: 0,
        opt_out_dashboard: 0,
        promotion_pending: 0,
        rank_id: 3,
        password_reset_code: null,
        remember_token: null,
        remember_token_expires_at: null,
        twitter_account: null,
      }
      const id = await insertId(tx, 'users', values)
      await tx
        .insertInto('user_names')
        .values([
          { name: values.email, user_id: id },
          { name: values.login, user_id: id },
        ])
        .execute()
      await tx
        .insertInto('user_passwords')
        .values({ user_id: id, verifier: `$argon2id$${name}-${i}`, changed_at: now })
        .execute()
      const scopes = [
        ['Account', accounts[0]],
        ['Business', businesses[2]],
        ['Site', sites[1]],
      ] as const
      for (const [scope_type, scope_id] of scopes)
        await tx
          .insertInto('abilities')
          .values({ user_id: id, key: 'show', scope_type, scope_id: scope_id as number })
          .execute()
      await tx.updateTable('accounts').set({ owner_id: id }).where('id', '=', account_id).execute()
      await insertId(tx, 'annotations', {
        account_id,
        site_id: i === 0 ? (sites[0] as number) : null,
        day: '2026-11-02',
        text: 'A note',
        created_at: now,
        created_by: id,
      })
      if (i === 0)
        await insertId(tx, 'review_marks', {
          account_id,
          site_id: sites[0] as number,
          source: 'google',
          review_hash: `review ${i}`,
          date: '2026-11-01',
          state: 'seen',
          note: 'Called back',
          marked_by: id,
          marked_at: now,
        })
      const schedule_id = await insertId(tx, 'report_schedules', {
        account_id,
        rhythm: 'weekly',
        site_ids: i === 0 ? JSON.stringify([sites[2]]) : null,
        last_period: '2026-11-01',
        ...times,
      })
      await insertId(tx, 'report_recipients', { schedule_id, account_id, email: 'r@people.example', state: 'active', ...times })
      await tx
        .insertInto('external_ids')
        .values({ partner_id: partner.id, kind: 'user', external_id: `u${i}`, record_id: id })
        .execute()
    }
    await tx
      .insertInto('external_ids')
      .values({ partner_id: partner.id, kind: 'site', external_id: 's', record_id: sites[2] as number })
      .execute()
    await tx
      .insertInto('brand_pictures')
      .values({ id: `logo-${name}`, type: 'image/png', bytes: Buffer.from([1, 2, 3]) })
      .execute()
    const look = {
      name: 'Brand',
      accent: '#123456',
      sender_name: null,
      support: null,
      logo_id: `logo-${name}`,
      dark_logo_id: null,
      favicon_id: null,
      updated_at: now,
    }
    await tx
      .insertInto('brands')
      .values({ partner_id: partner.id, host_name: `${name}.brand.example`, ...look })
      .execute()
    await tx
      .insertInto('account_brands')
      .values({ account_id: other, ...look, logo_id: null })
      .execute()
  })
  const lines = records.map((record) => {
    const { which = 0, ...rest } = record as { which?: number }
    return { ...rest, account: accounts[which], site: 'site.example' }
  })
  const { faults } = await importObservations(operator, { partnerId: partner.id }, readNdjson(bytesOf(lines)), {
    createMissing: true,
  })
  assert.deepEqual(faults, [])
}

async function insertId(
  tx: Parameters<Parameters<TestService['app']['store']['write']>[0]>[0],
  table: string,
  row: object,
): Promise<number> {
  const inserted = tx
    .insertInto(table as 'businesses')
    .values(row as never)
    .returning('id')
  return (await inserted.executeTakeFirstOrThrow()).id
}

export async function exported({ operator }: TestService, { id }: TestPartner): Promise<string[]> {
  let text = ''
  await exportAccounts(operator, { partnerId: id }, async (piece) => {
    text += piece
  })
  return text.trimEnd().split('\n')
}

/** Each id by its place among those of its kind; what belongs to the installation and the partner is left away. */
export function withoutIds(lines: readonly string[]): object[] {
  const kindOf = (name: string, { type, scope_type, kind }: Record<string, string>) => {
    if (name === 'scope_id') return scope_type?.toLowerCase()
    if (name === 'record_id') return kind
    return (
      (
        {
          id: type,
          account: 'account',
          created_by: 'user',
          updated_by: 'user',
          current_site_id: 'site',
          partner_account_id: 'account',
        } as Record<string, string>
      )[name] ?? name.replace(/_id$/, '')
    )
  }
  const ids = new Map<string, number>()
  const placeOf = (key: string) => ids.get(key) ?? ids.set(key, ids.size).size - 1
  return lines.map((line) => {
    const record = JSON.parse(line)
    const own = ['installation', 'exported_at', 'picture', 'logo_id', ...(record.type === 'account' ? ['created_at', 'updated_at'] : [])]
    const told = Object.entries(record).filter(([name]) => !own.includes(name))
    const isId = (name: string, value: unknown) =>
      typeof value === 'number' &&
      (/(^|_)id$/.test(name) || /^(account|created_by|updated_by|marked_by)$/.test(name)) &&
      !/step|rank/.test(name)
    const shown = told.map(([name, value]) => {
      if (name === 'site_ids' && value !== null) return [name, (JSON.parse(value as string) as number[]).map((id) => placeOf(`site ${id}`))]
      return isId(name, value) ? [name, placeOf(`${kindOf(name, record)} ${value}`)] : [name, value]
    })
    return Object.fromEntries(shown)
  })
}
