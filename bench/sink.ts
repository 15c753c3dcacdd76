import { createServer, type Socket } from 'node:net'

/**
 * Runs an SMTP server in its own process that accepts everything as fast as it can. With an argument, it responds to each group of
 * commands after that many milliseconds, like a distant server. Reports its port and its counts.
 */
let accepted = 0
const answersAfterMs = Number(process.argv[2] ?? 0)

function serve(socket: Socket): void {
  let inBody = false
  let rest = ''
  let output = ''
  socket.setNoDelay(true)
  socket.on('error', () => undefined)
  socket.write('220 sink\r\n')
  // Responds to everything in one read with one write, so that this process takes little CPU time from the compared programs.
  socket.on('data', (bytes) => {
    read(bytes)
    const answer = output
    output = ''
    if (answer === '') return
    if (answersAfterMs === 0) socket.write(answer)
    else setTimeout(() => socket.write(answer), answersAfterMs)
  })
  function read(bytes: Buffer): void {
    rest += bytes.toString('latin1')
    for (;;) {
      if (inBody) {
        const end = rest.indexOf('\r\n.\r\n')
        if (end < 0) {
          rest = rest.slice(-4)
          return
        }
        rest = rest.slice(end + 5)
        inBody = false
        accepted++
        output += '250 2.0.0 OK\r\n'
        continue
      }
      const line = rest.indexOf('\r\n')
      if (line < 0) return
      const verb = rest.slice(0, 4).toUpperCase()
      rest = rest.slice(line + 2)
      if (verb === 'DATA') {
        inBody = true
        // The next bytes belong to the body, whose first line may be the terminator.
        rest = `\r\n${rest}`
        output += '354 go on\r\n'
      } else if (verb === 'EHLO') output += '250-sink\r\n250-PIPELINING\r\n250 8BITMIME\r\n'
      else if (verb === 'QUIT') socket.end('221 bye\r\n')
      else output += '250 2.0.0 OK\r\n'
    }
  }
}

const server = createServer(serve)
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
})
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ accepted, cpuMs: (user + system) / 1000 })
})
process.on('disconnect', () => process.exit(0))
