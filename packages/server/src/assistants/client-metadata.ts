/** The fields of a client's own description that this server reads. Others could only make the library open more connections. */
const readFields = [
  'client_id',
  'client_name',
  'client_uri',
  'redirect_uris',
  'grant_types',
  'response_types',
  'application_type',
  'scope',
  'token_endpoint_auth_method',
  // The library refuses documents with these.
  'client_secret',
  'client_secret_expires_at',
] as const

/** Parses what a client says about itself, and keeps the fields that this server reads. Returns null if it is no JSON object. */
export function readClientMetadata(text: string): Record<string, unknown> | null {
  const given = parseObject(text)
  if (given === null) return null
  return Object.fromEntries(readFields.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]]))
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}
