/** Error responses of the token endpoints of Google and Microsoft, so that a double refuses like the providers. */

export type OAuthFault =
  | 'code_used'
  | 'code_unknown'
  | 'wrong_redirect'
  | 'wrong_verifier'
  | 'wrong_client'
  | 'wrong_secret'
  | 'expired_secret'
  | 'refresh_revoked'
  | 'wrong_scope'
  | 'wrong_grant'

interface FaultWords {
  status: number
  error: string
  description: string
  /** Microsoft's numbers; Google has none. */
  codes?: readonly number[]
}

/**
 * Sources: developers.google.com/identity/protocols/oauth2/web-server (redirect_uri_mismatch, invalid_grant), issues of
 * googleapis/google-api-nodejs-client and googleapis/google-auth-library-python that quote the bodies. An expired secret
 * does not exist at Google, which disables secrets instead.
 */
const google: Record<OAuthFault, FaultWords> = {
  code_used: { status: 400, error: 'invalid_grant', description: 'Bad Request' },
  code_unknown: { status: 400, error: 'invalid_grant', description: 'Malformed auth code.' },
  wrong_redirect: { status: 400, error: 'redirect_uri_mismatch', description: 'Bad Request' },
  wrong_verifier: { status: 400, error: 'invalid_grant', description: 'Invalid code verifier.' },
  wrong_client: { status: 401, error: 'invalid_client', description: 'The OAuth client was not found.' },
  wrong_secret: { status: 401, error: 'invalid_client', description: 'The provided client secret is invalid.' },
  expired_secret: { status: 401, error: 'invalid_client', description: 'The provided client secret is invalid.' },
  refresh_revoked: { status: 400, error: 'invalid_grant', description: 'Token has been expired or revoked.' },
  wrong_scope: { status: 400, error: 'invalid_scope', description: 'Bad Request' },
  wrong_grant: { status: 400, error: 'unsupported_grant_type', description: 'Invalid grant_type' },
}

/**
 * Sources: learn.microsoft.com/entra/identity-platform/reference-error-codes; the bodies are from issues of
 * AzureAD/microsoft-authentication-library-for-dotnet (3023: 70003), AzureAD/microsoft-authentication-library-for-js (2694: 501481),
 * davidjrh/dnn.azureadprovider (17: 54005), abraunegg/onedrive (1370: 70000), spencerwooo/onedrive-cf-index (100: 70011) and
 * PartnerCenterSamples/Reseller-Web-Application (73: the text of 500112 under its former number).
 */
const microsoft: Record<OAuthFault, FaultWords> = {
  code_used: {
    status: 400,
    error: 'invalid_grant',
    description:
      'AADSTS54005: OAuth2 Authorization code was already redeemed, please retry with a new valid code or use an ' +
      'existing refresh token.',
    codes: [54005],
  },
  code_unknown: {
    status: 400,
    error: 'invalid_grant',
    description: "AADSTS70000: The provided value for the 'code' parameter is not valid.",
    codes: [70000],
  },
  wrong_redirect: {
    status: 400,
    error: 'invalid_client',
    description:
      "AADSTS500112: The reply address 'https://elsewhere.example' does not match the reply address " +
      "'https://overture.example' provided when requesting Authorization code.",
    codes: [500112],
  },
  wrong_verifier: {
    status: 400,
    error: 'invalid_grant',
    description:
      'AADSTS501481: The Code_Verifier does not match the code_challenge supplied in the authorization request.',
    codes: [501481],
  },
  wrong_client: {
    status: 400,
    error: 'unauthorized_client',
    description: "AADSTS700016: Application with identifier 'unknown' was not found in the directory 'Contoso'.",
    codes: [700016],
  },
  wrong_secret: {
    status: 401,
    error: 'invalid_client',
    description:
      'AADSTS7000215: Invalid client secret provided. Ensure the secret being sent in the request is the client secret ' +
      "value, not the client secret ID, for a secret added to app '11dba002-88d3-45a5-b8c0-75a84ec2c1eb'.",
    codes: [7000215],
  },
  expired_secret: {
    status: 401,
    error: 'invalid_client',
    description:
      "AADSTS7000222: The provided client secret keys for app '11dba002-88d3-45a5-b8c0-75a84ec2c1eb' are expired. Visit " +
      'the Azure portal to create new keys for your app: https://aka.ms/NewClientSecret, or consider using certificate ' +
      'credentials for added security: https://aka.ms/certCreds.',
    codes: [7000222],
  },
  refresh_revoked: {
    status: 400,
    error: 'invalid_grant',
    description:
      'AADSTS70008: The provided authorization code or refresh token has expired due to inactivity. Send a new ' +
      'interactive authorization request for this user and resource.',
    codes: [70008],
  },
  wrong_scope: {
    status: 400,
    error: 'invalid_scope',
    description:
      "AADSTS70011: The provided value for the input parameter 'scope' is not valid. The scope 'elsewhere' does not exist.",
    codes: [70011],
  },
  wrong_grant: {
    status: 400,
    error: 'unsupported_grant_type',
    description: "AADSTS70003: The app requested an unsupported grant type 'password'.",
    codes: [70003],
  },
}

const ids = { trace: 'ba773467-5755-4492-9c05-d35d73683600', correlation: 'e976bf48-228a-4114-b06e-ce97ae0d3cd4' }
const at = '2026-11-23 16:23:28Z'
const words = { google, microsoft }

/** A provider's refusal: its status and its body. */
export function faultAnswer(provider: 'google' | 'microsoft', fault: OAuthFault): [number, Record<string, unknown>] {
  const { status, error, description, codes } = words[provider][fault]
  if (codes === undefined) return [status, { error, error_description: description }]
  return microsoftAnswer(status, error, description)
}

/** A refusal of Microsoft. Its description begins with the error number. */
export function microsoftAnswer(status: number, error: string, description: string): [number, Record<string, unknown>] {
  const code = Number(/^AADSTS(\d+)/.exec(description)?.[1])
  return [
    status,
    {
      error,
      error_description: withTrace(description),
      error_codes: [code],
      timestamp: at,
      trace_id: ids.trace,
      correlation_id: ids.correlation,
      error_uri: `https://login.microsoftonline.com/error?code=${code}`,
    },
  ]
}

/** Microsoft's error text with the trace lines that Microsoft appends to each. */
export function withTrace(description: string): string {
  return `${description} Trace ID: ${ids.trace} Correlation ID: ${ids.correlation} Timestamp: ${at}`
}
