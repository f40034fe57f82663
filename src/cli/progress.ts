/** A progress line on the terminal; nothing if there is no terminal. */

const redrawMilliseconds = 100
const width = 30

export interface Progress {
  show(words: string, done: number, total?: number): void
  end(): void
}

export function openProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) return { show: () => {}, end: () => {} }
  let drawnAt = 0
  return {
    show(words, done, total) {
      if (Date.now() - drawnAt < redrawMilliseconds) return
      drawnAt = Date.now()
      stream.write(`\r\u001b[K${bar(done, total)}${words} ${done.toLocaleString('en-US')}`)
    },
    end: () => void stream.write('\r\u001b[K'),
  }
}

function bar(done: number, total: number | undefined): string {
  if (!total) return ''
  const filled = Math.min(width, Math.round((done / total) * width))
  return `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] `
}
