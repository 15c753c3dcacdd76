/** Reports the height of the message to the surrounding page whenever it changes. */
export const frameScript =
  'const root=document.documentElement,height=()=>Math.ceil(root.getBoundingClientRect().height);' +
  "const tell=()=>parent.postMessage({overtureFrameHeight:height()},'*');" +
  'new ResizeObserver(tell).observe(root);tell()'

// Reading one's own mail is not an open, so the frame never loads the tracking pixel of this product, on any domain.
const pixel = /https?:\/\/[^\s"'<>/]+\/o\/[^\s"'<>]+/gi

/** A message as a separate page. The policy blocks its scripts; this function doesn't remove them. */
export function framePage(html: string, theme: 'light' | 'dark'): string {
  const colours = theme === 'dark' ? 'color:#e8eaf0;background:#121318' : 'color:#16181d;background:#fff'
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Message</title><base target="_blank"><style>
html{${colours};font:14px/1.55 system-ui,sans-serif;overflow-wrap:anywhere}body{margin:0;padding:2px}
img{max-width:100%;height:auto}a{color:${theme === 'dark' ? '#9dbcff' : '#1d4ed8'}}
blockquote{margin:8px 0;padding-left:12px;border-left:2px solid #767d8a}
</style></head><body>${html.replace(pixel, 'data:,')}<script>${frameScript}</script></body></html>`
}
