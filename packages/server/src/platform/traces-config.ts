import type { Reader } from './settings/read-settings.ts'

/** The export of traces. The settings have the names that OpenTelemetry defines. */
export interface TracesConfig {
  /** The URL of the collector for traces. */
  url: string
  /** By name, in lower case. */
  headers: Readonly<Record<string, string>>
  serviceName: string
  /** The share of traces that are kept, 0 to 1. */
  share: number
}

export function readTraces(read: Reader): TracesConfig | null {
  const endpoint = read.value('OTEL_EXPORTER_OTLP_ENDPOINT')
  const headers = read.value('OTEL_EXPORTER_OTLP_HEADERS').map((header) => {
    const at = header.indexOf('=')
    return [header.slice(0, at).toLowerCase(), decoded(header.slice(at + 1))] as const
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

// A value that decodes to a line break would add a header, so it is refused.
function decoded(value: string): string | null {
  try {
    const text = decodeURIComponent(value)
    return /^[\x20-\x7e]*$/.test(text) ? text : null
  } catch {
    return null
  }
}
