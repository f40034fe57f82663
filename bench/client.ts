/** A client in a process of its own: asks once and measures until the last byte has come. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'

export interface Ask {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export interface Answer {
  readonly milliseconds: number
  readonly bytes: number
  readonly status: number
  readonly etag: string
}

export interface Client {
  get(ask: Ask): Promise<Answer>
  stop(): void
}

export function startClient(): Client {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), ['client'])
  return {
    async get(ask) {
      child.send(ask)
      const [answer] = await once(child, 'message')
      return answer as Answer
    },
    stop: () => void child.disconnect(),
  }
}

if (process.argv[2] === 'client' && process.send) {
  const tell = process.send.bind(process)
  const agent = new Agent({ keepAlive: true })
  process.on('message', (ask: Ask) => get(agent, ask).then((answer) => tell(answer)))
}

function get(agent: Agent, { url, headers }: Ask): Promise<Answer> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, headers }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('end', () =>
        resolve({
          milliseconds: performance.now() - startedAt,
          bytes,
          status: response.statusCode ?? 0,
          etag: response.headers.etag ?? '',
        }),
      )
      response.on('error', reject)
    })
    asked.on('error', reject).end()
  })
}
