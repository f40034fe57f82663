/** The first calls of a partner through the client that swagger-typescript-api generates. */
import { Api } from 'generated/swagger-typescript-api/api'

export async function drive({ url, authorization, user, accountId }) {
  const { api } = new Api({ baseUrl: url, baseApiParams: { headers: { authorization } } })
  const created = await api.createUser({ user })
  const listed = await api.listUsers({ login: user.login })
  const refused = await api.showUser(999_999).catch((answer) => answer)
  const report = await api.seoReport({ account_id: String(accountId) })
  return { created: created.data, listed: listed.data, refused: refused.error, report: report.data }
}
