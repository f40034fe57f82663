import { Marquee } from '@marquee/client'

const { SERVICE_URL: url = 'http://127.0.0.1:8080', KEY: key = '', PASSWORD: password = '' } = process.env
const marquee = new Marquee({ url, key, password })

const account = await marquee.listManagedAccounts().first()
if (account === undefined) throw new Error('This partner manages no account')
const user = await marquee.createUser({ email: 'bo@harbor.example', login: 'bo-harbor', password: 'correct-horse', account_id: account.id })
await marquee.updateUserAbilities(user.id, [{ key: 'show', scope_type: 'Account', scope_id: account.id }])
for await (const { id, login, state } of marquee.listUsers()) console.log(id, login, state)
