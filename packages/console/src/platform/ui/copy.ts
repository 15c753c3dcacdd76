/** Over plain http a browser offers no clipboard API. The page then copies a selection, as pages did before that API existed. */
export async function copyText(value: string): Promise<boolean> {
  if (isSecureContext) {
    return navigator.clipboard.writeText(value).then(
      () => true,
      () => false,
    )
  }
  const field = document.createElement('textarea')
  field.value = value
  field.setAttribute('readonly', '')
  field.className = 'visually-hidden'
  const before = document.activeElement
  document.body.append(field)
  field.select()
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else does it over plain http
  const copied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  return copied
}
