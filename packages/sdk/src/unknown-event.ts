/** An event of a server that is newer than this client. */
export interface UnknownEvent {
  id: string
  type: string & {}
  occurredAt: string
  environment: 'live' | 'test'
  data: Record<string, unknown>
}
