/** The first calls of a partner through openapi-fetch, which needs only types of its description. */
import createClient from 'openapi-fetch'

export async function drive({ url, authorization, user, accountId }) {
  const client = createClient({ baseUrl: url, headers: { authorization } })
  const created = await client.POST('/api/users.json', { body: { user } })
  const listed = await client.GET('/api/users.json', { params: { query: { login: user.login } } })
  const refused = await client.GET('/api/users/{user_id}.json', { params: { path: { user_id: 999_999 } } })
  const report = await client.GET('/api/seo_report.json', { params: { query: { account_id: String(accountId) } } })
  return { created: created.data, listed: listed.data, refused: refused.error, report: report.data }
}
