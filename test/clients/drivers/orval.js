/** The first calls of a partner through the client that orval generates; it takes addresses as they stand, so `fetch` is given the host. */
import { createUser, listUsers, seoReport, showUser } from 'generated/orval/api'

export async function drive({ url, authorization, user, accountId }) {
  const own = globalThis.fetch
  globalThis.fetch = (path, init) => own(new URL(path, url), init)
  try {
    const options = { headers: { authorization } }
    const created = await createUser({ user }, {}, options)
    const listed = await listUsers({ login: user.login }, options)
    const refused = await showUser(999_999, options)
    const report = await seoReport({ account_id: String(accountId) }, options)
    return { created: created.data, listed: listed.data, refused: refused.data, report: report.data }
  } finally {
    globalThis.fetch = own
  }
}
