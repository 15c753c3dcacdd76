import type { Socket } from 'node:net'
import type { SmtpPoint } from './smtp-result.ts'

type OnPoint = (point: SmtpPoint) => Promise<void> | void

/**
 * Lets a test stop between two commands, and between the two halves of the end of a message, by holding the
 * socket's writes back. Nothing is touched while no callback is set. After STARTTLS the bytes are encrypted
 * below it, so fault tests use a plain or a TLS-from-the-start connection.
 */
export function watchWrites(socket: Socket): { watch(onPoint: OnPoint | undefined): void } {
  const plainWrite = socket.write.bind(socket)
  let tail: Promise<void> = Promise.resolve()
  return {
    watch(onPoint) {
      if (onPoint === undefined) {
        socket.write = plainWrite
        return
      }
      tail = Promise.resolve()
      socket.write = ((chunk: Buffer | string) => {
        tail = tail.then(() => writeSlowly(Buffer.from(chunk as string), plainWrite, onPoint))
        return true
      }) as typeof socket.write
    },
  }
}

async function writeSlowly(bytes: Buffer, write: (bytes: Buffer) => boolean, onPoint: OnPoint): Promise<void> {
  const text = bytes.subarray(0, 16).toString('latin1')
  const command = /^(MAIL|RCPT|DATA)\b/.exec(text)?.[1]
  if (command !== undefined) await onPoint(command.toLowerCase() as 'mail' | 'rcpt' | 'data')
  if (text !== '.\r\n' && text !== '\r\n.\r\n') {
    write(bytes)
    return
  }
  write(bytes.subarray(0, -2))
  await onPoint('half_terminator')
  write(bytes.subarray(-2))
  await onPoint('terminated')
}
