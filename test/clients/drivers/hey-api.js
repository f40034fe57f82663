/** The first calls of a partner through the client that hey-api generates. */
import { client } from 'generated/hey-api/client.gen'
import { createUser, listUsers, seoReport, showUser } from 'generated/hey-api/sdk.gen'

export async function drive({ url, key, password, user, accountId }) {
  client.setConfig({ baseUrl: url, auth: `${key}:${password}` })
  const created = await createUser({ body: { user } })
  const listed = await listUsers({ query: { login: user.login } })
  const refused = await showUser({ path: { user_id: 999_999 } })
  const report = await seoReport({ query: { account_id: String(accountId) } })
  return { created: created.data, listed: listed.data, refused: refused.error, report: report.data }
}
