/** An operator sets up a partner from nothing, in a process of their own, on either engine. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from '../../src/config.ts'
import { openStore } from '../../src/store/store.ts'
import { marqueeOn } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'

onEachEngine('an operator', (place) => {
  const marquee = marqueeOn(place)
  const run = async <T>(words: string, ...rest: (string | { stdin: string })[]): Promise<T> => {
    const { code, stderr, json } = await marquee(place, words, ...rest, '--json')
    assert.equal(code, 0, stderr)
    return json<T>()
  }
  type Made = Record<string, Record<string, unknown>>

  test('creates a partner, an account, a business, a site and a user, and finds them listed', async () => {
    const created = await run<Record<string, unknown>>('partner create --name', 'Acme & Söhne')
    assert.deepEqual(Object.keys(created), ['partner', 'account', 'key', 'password'])
    assert.deepEqual(created.partner, { id: 1, name: 'Acme & Söhne' })
    assert.deepEqual(created.account, { id: 1, name: 'Acme & Söhne' })
    assert.match(String(created.key), /^mq_/)
    assert.match(String(created.password), /^mqs_/)
    const { account } = await run<Made>('account create --partner 1 --name Harbor')
    const { business } = await run<Made>(`business create --account ${account?.id} --name`, 'Harbor Chicago')
    assert.equal(business?.aasm_state, 'active')
    const { site } = await run<Made>(`site create --business ${business?.id} --domain Chicago.Harbor.example`)
    assert.equal(site?.domain, 'chicago.harbor.example')
    const { user, password } = await run<Made>(
      `user create --account ${account?.id} --email dana@harbor.example --login dana-harbor --owner --generate`,
    )
    assert.equal(user?.state, 'passive')
    assert.match(String(password), /^[0-9A-Za-z]{20}$/)
    for (const [words, noun] of Object.entries({
      partner: 'partners',
      account: 'accounts',
      user: 'users',
      business: 'businesses',
      site: 'sites',
      key: 'keys',
    })) {
      const listed = await run<Record<string, unknown[]>>(`${words} list`)
      assert.deepEqual(Object.keys(listed), [noun])
      assert.equal(listed[noun]?.length, words === 'account' ? 2 : 1, words)
    }
  })

  test('invites the first admin of a partner, and prints the link where no mail is sent', async () => {
    const { invitation } = await run<Made & { invitation: { url: string; role: string; email: string } }>(
      'partner create --name Quay --invite boss@quay.example',
    )
    assert.deepEqual([invitation.role, invitation.email], ['admin', 'boss@quay.example'])
    assert.match(invitation.url, /\/join\/\d+\.[0-9a-f]{40}$/)
    const { staff } = await run<{ staff: unknown[] }>('staff list --partner 2')
    assert.deepEqual(staff, [], 'nobody is staff before they have accepted')
    const { stderr, code } = await marquee(place, 'partner create --name Bad --invite nowhere')
    assert.match(stderr, /Email should look like an email address/)
    assert.equal(code, 1)
    assert.equal((await run<{ partners: unknown[] }>('partner list')).partners.length, 2, 'a partner is not made before that is known')
  })

  test('changes what the partner may do', async () => {
    const { partner } = await run<Made>('partner set 1 --key-alone off --names legacy --reads-per-minute 50 --writes-per-minute 0')
    const { key_alone, names, reads_per_minute, writes_per_minute } = partner as Record<string, unknown>
    assert.deepEqual(
      { key_alone, names, reads_per_minute, writes_per_minute },
      { key_alone: false, names: 'legacy', reads_per_minute: 50, writes_per_minute: 0 },
    )
    const back = await run<Made>('partner set 1 --names default --reads-per-minute default')
    assert.equal(back.partner?.names, null)
    assert.equal(back.partner?.reads_per_minute, null)
    assert.equal(back.partner?.writes_per_minute, 0)
  })

  test('gives a password by standard input, never shown again', async () => {
    const { code, stdout, stderr } = await marquee(place, 'user set-password 1 --password-stdin', { stdin: 'correct horse\n' })
    assert.equal(code, 0, stderr)
    assert.ok(!stdout.includes('correct horse'))
    const without = await marquee(place, 'user set-password 1')
    assert.equal(without.code, 2)
    assert.match(without.stderr, /use --password-stdin or --generate/)
  })

  test('deactivates a business and brings it back', async () => {
    assert.equal((await run<Made>('business deactivate 1')).business?.aasm_state, 'deactivated')
    assert.equal((await run<Made>('business reactivate 1')).business?.aasm_state, 'active')
  })

  test('suspends, lets in and deletes a user', async () => {
    assert.equal((await run<Made>('user suspend 1')).user?.state, 'suspended')
    assert.equal((await run<Made>('user unsuspend 1')).user?.state, 'passive')
    assert.deepEqual(await run('user delete 1'), { deleted: { id: 1 } })
    const shown = await marquee(place, 'user show 1')
    assert.equal(shown.code, 1)
    assert.equal(shown.stderr, 'User not found.\n')
  })

  test('reads what is wrong in sentences, one for each fault', async () => {
    const { code, stdout, stderr } = await marquee(place, 'user create --account 99 --email dana --login abc --password-stdin', {
      stdin: 'short',
    })
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.deepEqual(stderr.trim().split('\n'), [
      'Email should look like an email address.',
      'Password is too short (minimum is 6 characters).',
      'Login is too short (minimum is 5 characters).',
      'Account does not exist.',
    ])
  })

  test('sees a name that would steer the terminal without what steers', async () => {
    const { account } = await run<Made>('account create --partner 1 --name nomed')
    const store = openStore(readSettings(place.env))
    const name = 'nomed \u202Ered'
    await store.write((tx) => tx.updateTable('accounts').set({ name }).where('id', '=', Number(account?.id)).execute())
    await store.close()
    const { stdout } = await marquee(place, 'account list')
    assert.match(stdout, /^id +partner_id +name/)
    assert.ok(!stdout.includes('\u202E'))
  })
})
