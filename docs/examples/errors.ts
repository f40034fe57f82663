/** What can go wrong, and how a program tells it apart. Passing failures (429, 503, a lost connection) have been retried before they are thrown. */
import { ConnectionError, InvalidRequestError, Marquee, MarqueeError, NotFoundError } from '@marquee/client'

const { SERVICE_URL: url = 'http://127.0.0.1:8080', KEY: key = '', PASSWORD: password = '' } = process.env
const marquee = new Marquee({ url, key, password })

try {
  await marquee.createUser({ email: 'nobody', login: 'no', password: 'correct-horse', account_id: 1 })
} catch (error) {
  if (error instanceof InvalidRequestError) for (const { field, code, message } of error.details) console.log(field, code, message)
  else if (error instanceof NotFoundError) console.log('gone')
  else if (error instanceof MarqueeError) console.log(error.status, error.code, error.requestId)
  else if (error instanceof ConnectionError) console.log('no answer:', error.message)
  else throw error
}
