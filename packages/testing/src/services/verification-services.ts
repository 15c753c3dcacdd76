import { isJson, jsonBody, type Service, type ServiceAnswer, type ServiceRequest } from './service-request.ts'

/** The providers that verify addresses, by their public documentation. */
export const verificationServices: Readonly<Record<'zerobounce' | 'neverbounce' | 'bouncer', Service>> = {
  zerobounce: {
    sources: [
      'https://www.zerobounce.net/docs/email-validation-api-quickstart/v2-validate-emails',
      'https://www.zerobounce.net/docs/api-dashboard/api-error-codes',
    ],
    toRefusal({ method, path, query }, key) {
      if (path !== '/v2/validate') return { status: 404, body: '' }
      if (method !== 'GET') return { status: 405, body: '' }
      // Both errors have the status 200.
      if (query.get('api_key') !== key)
        return { status: 200, body: { error: 'Invalid API key or your account ran out of credits' } }
      return query.get('email') ? null : { status: 200, body: { error: 'Missing parameter: email.' } }
    },
  },
  neverbounce: {
    sources: [
      'https://developers.neverbounce.com/reference/single-check',
      'https://developers.neverbounce.com/reference/error-handling',
    ],
    // Errors of the application have the status 200.
    toRefusal(request, key) {
      if (request.method !== 'POST' || request.path !== '/v4.2/single/check') return { status: 404, body: '' }
      if (!isJson(request)) return failure('general_failure', "Missing required parameter 'key'")
      const body = jsonBody(request)
      if (body['key'] !== key) return failure('auth_failure', 'Invalid API key')
      return typeof body['email'] === 'string' ? null : failure('general_failure', "Missing required parameter 'email'")
    },
  },
  bouncer: {
    sources: ['https://docs.usebouncer.com/api-reference/real-time/verify-email'],
    toRefusal({ method, path, query, headers }: ServiceRequest, key) {
      if (method !== 'GET' || path !== '/v1.1/email/verify') return { status: 404, body: { status: 404 } }
      if (headers['x-api-key'] !== key) return { status: 401, body: { status: 401, error: 'Unauthorized' } }
      return query.get('email') ? null : { status: 400, body: { status: 400, error: 'Bad Request' } }
    },
  },
}

function failure(status: string, message: string): ServiceAnswer {
  return { status: 200, body: { status, message, execution_time: 5 } }
}
