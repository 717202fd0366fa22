import { canvas } from '@zhugong/contract/screens/catalogue'
import type { ScreenPanel } from '@zhugong/contract/screens/model'

const cell = { w: 222, h: 148 } as const
/** Top of the grid, below the title bar. */
export const gridTop = 88

type Cells = Pick<ScreenPanel, 'x' | 'y' | 'w' | 'h'>

/** Position of cells in canvas pixels. */
export const place = ({ x, y, w, h }: Cells) => ({
  left: canvas.margin + x * (cell.w + canvas.gap),
  top: y * (cell.h + canvas.gap),
  width: w * cell.w + (w - 1) * canvas.gap,
  height: h * cell.h + (h - 1) * canvas.gap,
})

const share = (part: number, whole: number) => `${(part / whole) * 100}%`
/** Position of cells as fractions of the canvas, for overlays at any scale. */
export function placeOver(cells: Cells) {
  const { left, top, width, height } = place(cells)
  return {
    left: share(left, canvas.width),
    top: share(gridTop + top, canvas.height),
    width: share(width, canvas.width),
    height: share(height, canvas.height),
  }
}

/** Converts a drag distance to cells; `room` is the size of the preview. */
export const cellsOf = (way: { x: number; y: number }, room: { width: number; height: number }) => ({
  x: Math.round((way.x / room.width) * (canvas.width / (cell.w + canvas.gap))),
  y: Math.round((way.y / room.height) * (canvas.height / (cell.h + canvas.gap))),
})
