import { connect, createServer, type Server } from 'node:net'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

/** The name of the variable with the socket of the test run. Processes that a test starts inherit it. */
export const runSocketName = 'OVERTURE_TEST_RUN'

/** Sends a line to the process of the test run and returns its answer. Throws if the run could not do it. */
export async function askRun<Answer>(socketPath: string, line: string): Promise<Answer> {
  const socket = connect(socketPath)
  socket.write(`${line}\n`)
  const answer = JSON.parse(await text(socket)) as { answer: Answer } | { error: string }
  if ('error' in answer) throw new Error(`The test run could not prepare ${line}: ${answer.error}`)
  return answer.answer
}

/** Answers each connection, which sends one line, with `{answer}` or `{error}` as JSON. */
export async function serveRun(socketPath: string, answerTo: (line: string) => Promise<unknown>): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    createInterface({ input: socket }).once('line', (line) => {
      answerTo(line).then(
        (answer) => socket.end(JSON.stringify({ answer })),
        (error: Error) => socket.end(JSON.stringify({ error: error.message })),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(socketPath, resolve))
  return server
}
