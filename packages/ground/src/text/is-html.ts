/** Whether a body was written as HTML, which means that it contains a tag. The editor of the console needs the same rule. */
export function isHtml(body: string): boolean {
  return /<\/?[a-z][a-z0-9-]*(?:\s[^<>]*)?\/?>|<!doctype|<!--/i.test(body)
}
