export interface Box {
  x: number
  y: number
  width: number
  height: number
}

const meets = (a: Box, b: Box): boolean => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

export interface Pin {
  x: number
  y: number
  /** Width of the label in pixels. */
  width: number
}

const height = 26
const away = 18

/**
 * Position of each pin's label: beside the pin, otherwise above or below; the first position that covers no other pin and no label
 * placed before. Pins are expected in order of severity, so that the most severe choose first.
 */
export function labelPlaces(pins: readonly Pin[], field: { width: number; height: number }): Box[] {
  const taken: Box[] = pins.map(({ x, y }) => ({ x: x - 12, y: y - 12, width: 24, height: 24 }))
  return pins.map(({ x, y, width }) => {
    const places = [
      { x: x + away, y: y - height / 2 },
      { x: x - away - width, y: y - height / 2 },
      { x: x - width / 2, y: y + away - 2 },
      { x: x - width / 2, y: y - away - height + 2 },
      { x: x + away, y: y + 6 },
      { x: x + away, y: y - height - 6 },
      { x: x - away - width, y: y + 6 },
      { x: x - away - width, y: y - height - 6 },
    ].map((place) => ({ ...place, width, height }))
    const inside = places.filter((p) => p.x >= 2 && p.y >= 2 && p.x + p.width <= field.width - 2 && p.y + p.height <= field.height - 2)
    const free = inside.find((place) => !taken.some((box) => meets(place, box)))
    const chosen = free ?? inside[0] ?? { x: Math.max(2, Math.min(x + away, field.width - width - 2)), y: y - height / 2, width, height }
    taken.push(chosen)
    return chosen
  })
}
