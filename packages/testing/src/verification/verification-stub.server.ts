import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jsonBody, readServiceRequest, sendAnswer, type ServiceAnswer } from '../services/service-request.ts'
import { verificationServices } from '../services/verification-services.ts'

export const verificationKey = 'provider-key'

/** A local double of the providers that verify addresses. It refuses what the real one refuses before `respond` decides the answer. */
export class VerificationStub {
  provider: keyof typeof verificationServices = 'bouncer'
  /** The addresses that were asked and not refused. */
  asked: string[] = []
  refusals = 0
  /** Null never answers. */
  respond: (email: string) => ServiceAnswer | null = () => ({ status: 500, body: {} })
  readonly #http: Server = createServer((request, response) => void this.#handle(request, response))

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve))
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.#http.closeAllConnections()
    await new Promise((resolve) => this.#http.close(resolve))
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await readServiceRequest(request)
    const refusal = verificationServices[this.provider].toRefusal(call, verificationKey)
    if (refusal !== null) {
      this.refusals++
      sendAnswer(request, response, refusal)
      return
    }
    const email = call.query.get('email') ?? String(jsonBody(call)['email'])
    this.asked.push(email)
    const answer = this.respond(email)
    if (answer === null) response.destroy()
    else sendAnswer(request, response, answer)
  }
}
