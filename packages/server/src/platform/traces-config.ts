import type { Reader } from './settings/read-settings.ts'

/** Where traces go, by the names that OpenTelemetry has given to such settings. */
export interface TracesConfig {
  /** Of the collector's door for traces. */
  url: string
  /** By name, in small letters. */
  headers: Readonly<Record<string, string>>
  serviceName: string
  /** Of all traces, those that are kept: 0 to 1. */
  share: number
}

export function readTraces(read: Reader): TracesConfig | null {
  const endpoint = read.value('OTEL_EXPORTER_OTLP_ENDPOINT')
  const headers = read.value('OTEL_EXPORTER_OTLP_HEADERS').map((one) => {
    const at = one.indexOf('=')
    return [one.slice(0, at).toLowerCase(), decoded(one.slice(at + 1))] as const
  })
  if (headers.some(([, value]) => value === null))
    read.problems.push('OTEL_EXPORTER_OTLP_HEADERS: values are percent-encoded, as in `authorization=Bearer%20…`.')
  const serviceName = read.value('OTEL_SERVICE_NAME')
  const share = Number(read.value('OTEL_TRACES_SAMPLER_ARG') ?? 1)
  if (endpoint === null) return null
  return {
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, value ?? ''])),
    serviceName,
    share,
  }
}

// What decodes to a line break would be a header of its own.
function decoded(value: string): string | null {
  try {
    const text = decodeURIComponent(value)
    return /^[\x20-\x7e]*$/.test(text) ? text : null
  } catch {
    return null
  }
}
