/** The text of a response; null if it is longer than `bytesMax`. The rest is then not read. */
export async function responseText(response: Response, bytesMax: number): Promise<string | null> {
  if (response.body === null) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels the stream.
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > bytesMax) return null
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}
