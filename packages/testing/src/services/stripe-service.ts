import type { Service, ServiceAnswer, ServiceRequest } from './service-request.ts'

const stripeError = (status: number, error: { type: string; code?: string; param?: string; message: string }) => ({
  status,
  headers: { 'request-id': 'req_test', 'stripe-should-retry': 'false' },
  body: { error },
})
const requestError = (message: string, more: { code?: string; param?: string } = {}) =>
  stripeError(400, { type: 'invalid_request_error', message, ...more })

const sessionParameters =
  /^(?:mode|success_url|cancel_url|client_reference_id|customer|metadata\[\w+\]|subscription_data\[metadata\]\[\w+\])$/
const itemParameters =
  /^line_items\[\d+\]\[(?:quantity|price|price_data\]\[(?:currency|unit_amount|product_data\]\[name|recurring\]\[interval))\]$/

export const stripe: Service = {
  sources: [
    'https://docs.stripe.com/api/authentication',
    'https://docs.stripe.com/api/errors',
    'https://docs.stripe.com/api/idempotent_requests',
    'https://docs.stripe.com/api/checkout/sessions/create',
  ],
  toRefusal(request, key) {
    const { authorization } = request.headers
    if (authorization === undefined)
      return stripeError(401, { type: 'invalid_request_error', message: 'You did not provide an API key.' })
    if (authorization !== `Bearer ${key}`)
      return stripeError(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' })
    if (request.method !== 'POST' || request.path !== '/v1/checkout/sessions') {
      const message = `Unrecognized request URL (${request.method}: ${request.path}).`
      return stripeError(404, { type: 'invalid_request_error', message })
    }
    if (!/^application\/x-www-form-urlencoded\b/.test(request.headers['content-type'] ?? ''))
      return requestError('Invalid request. Send form-encoded parameters.')
    return refusalOfSession(new URLSearchParams(request.body))
  },
}

function refusalOfSession(form: URLSearchParams): ServiceAnswer | null {
  for (const name of form.keys())
    if (!sessionParameters.test(name) && !itemParameters.test(name))
      return requestError(`Received unknown parameter: ${name}`, { code: 'parameter_unknown', param: name })
  const needed = ['mode', 'success_url', 'line_items[0][quantity]', 'line_items[0][price_data][currency]']
  const missing = needed.find((name) => !form.get(name))
  if (missing !== undefined)
    return requestError(`Missing required param: ${missing}.`, { code: 'parameter_missing', param: missing })
  if (!/^\d{1,8}$/.test(form.get('line_items[0][price_data][unit_amount]') ?? ''))
    return requestError('Invalid integer', { code: 'parameter_invalid_integer', param: 'unit_amount' })
  const isRecurring = form.has('line_items[0][price_data][recurring][interval]')
  if ((form.get('mode') === 'subscription') !== isRecurring)
    return requestError('You must provide one-time prices in `payment` and recurring prices in `subscription` mode.')
  if (!/^https?:\/\//.test(form.get('success_url') ?? ''))
    return requestError('Not a valid URL', { code: 'url_invalid', param: 'success_url' })
  return null
}

/** Answers of Stripe by idempotency key. The same key with other parameters is refused. */
export class StripeKeys {
  readonly #answers = new Map<string, { body: string; answer: ServiceAnswer }>()

  answer(request: ServiceRequest, create: () => ServiceAnswer): ServiceAnswer {
    const key = request.headers['idempotency-key']
    if (typeof key !== 'string') return create()
    const known = this.#answers.get(key)
    if (known === undefined) {
      const answer = create()
      // An answer below 500 is kept; a validation error of Stripe is not, because nothing was begun.
      if (answer.status === 200) this.#answers.set(key, { body: request.body, answer })
      return answer
    }
    if (known.body === request.body)
      return { ...known.answer, headers: { ...known.answer.headers, 'idempotent-replayed': 'true' } }
    const message = 'Keys for idempotent requests can only be used with the same parameters they were first used with.'
    return stripeError(400, { type: 'idempotency_error', message })
  }
}
