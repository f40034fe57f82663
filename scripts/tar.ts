/** A tar archive below `package/` whose bytes depend on its files alone: no times, owners or modes of the machine. */

/** The day that npm gives to all files. */
const day = Date.UTC(1985, 9, 26, 8, 15) / 1000

export function tarOf(files: ReadonlyMap<string, Buffer>): Buffer {
  const entries = [...files].flatMap(([name, content]) => [
    headOf(`package/${name}`, content.length),
    content,
    Buffer.alloc(-content.length & 511),
  ])
  return Buffer.concat([...entries, Buffer.alloc(1024)])
}

/** As ustar has it. */
function headOf(name: string, size: number): Buffer {
  const head = Buffer.alloc(512)
  head.write(name, 0, 100, 'latin1')
  head.write('0000644\0', 100)
  head.write('0000000\0', 108)
  head.write('0000000\0', 116)
  head.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  head.write(`${day.toString(8).padStart(11, '0')}\0`, 136)
  head.write('        0', 148)
  head.write('ustar\x0000', 257)
  const sum = head.reduce((total, byte) => total + byte, 0)
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return head
}
