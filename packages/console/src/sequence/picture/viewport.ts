/** Which part of a picture is visible: a point of the picture is drawn at `x + scale × point`. */
export interface Viewport {
  x: number
  y: number
  scale: number
}

export interface Size {
  width: number
  height: number
}

const scaleMin = 0.05
const scaleMax = 3
const margin = 16
/** Below it words are too small to be read. */
const readableScale = 0.6
/** At least this much of the picture stays visible, in pixels. */
const visibleMin = 48

/** Shows the whole picture in the middle, and does not enlarge it. */
export function fitted(picture: Size, shown: Size): Viewport {
  const room = { width: Math.max(1, shown.width - 2 * margin), height: Math.max(1, shown.height - 2 * margin) }
  const scale = limited(Math.min(1, room.width / picture.width, room.height / picture.height), scaleMin, scaleMax)
  return {
    scale,
    x: (shown.width - picture.width * scale) / 2,
    y: Math.max(margin, (shown.height - picture.height * scale) / 2),
  }
}

/** The view at first: the whole picture if it can be read, else its upper part with the first box, whose center is at `firstX`. */
export function opened(picture: Size & { firstX: number }, shown: Size): Viewport {
  const whole = fitted(picture, shown)
  if (whole.scale >= readableScale) return whole
  const byWidth = (shown.width - 2 * margin) / picture.width
  const scale = limited(byWidth, readableScale, 1)
  const width = picture.width * scale
  if (width <= shown.width - 2 * margin) return { scale, x: (shown.width - width) / 2, y: margin }
  return {
    scale,
    x: limited(shown.width / 2 - picture.firstX * scale, shown.width - margin - width, margin),
    y: margin,
  }
}

/** Zooms by a factor, and keeps the point of the picture that is drawn at this place. */
export function zoomed(view: Viewport, factor: number, at: { x: number; y: number }): Viewport {
  const scale = limited(view.scale * factor, scaleMin, scaleMax)
  const change = scale / view.scale
  return { scale, x: at.x - (at.x - view.x) * change, y: at.y - (at.y - view.y) * change }
}

/** Moves the picture, but never out of sight. */
export function moved(view: Viewport, by: { x: number; y: number }, picture: Size, shown: Size): Viewport {
  const { scale } = view
  return {
    scale,
    x: limited(view.x + by.x, visibleMin - picture.width * scale, shown.width - visibleMin),
    y: limited(view.y + by.y, visibleMin - picture.height * scale, shown.height - visibleMin),
  }
}

function limited(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), Math.max(least, most))
}
