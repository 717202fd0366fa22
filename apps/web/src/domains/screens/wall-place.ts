import { canvas } from '@zhugong/contract/screens/catalogue'
import type { ScreenPanel } from '@zhugong/contract/screens/model'

const cell = { w: 222, h: 148 } as const
/** Where the cells begin below the title bar. */
export const gridTop = 88

type Cells = Pick<ScreenPanel, 'x' | 'y' | 'w' | 'h'>

/** Of cells where they lie within the grid, in the canvas' pixels. */
export const place = ({ x, y, w, h }: Cells) => ({
  left: canvas.margin + x * (cell.w + canvas.gap),
  top: y * (cell.h + canvas.gap),
  width: w * cell.w + (w - 1) * canvas.gap,
  height: h * cell.h + (h - 1) * canvas.gap,
})

const share = (part: number, whole: number) => `${(part / whole) * 100}%`
/** The same as shares of the whole canvas, for what lies over a picture of a wall of any size. */
export function placeOver(cells: Cells) {
  const { left, top, width, height } = place(cells)
  return {
    left: share(left, canvas.width),
    top: share(gridTop + top, canvas.height),
    width: share(width, canvas.width),
    height: share(height, canvas.height),
  }
}

/** How many cells a way over a picture of a wall is; `room` is the picture's size. */
export const cellsOf = (way: { x: number; y: number }, room: { width: number; height: number }) => ({
  x: Math.round((way.x / room.width) * (canvas.width / (cell.w + canvas.gap))),
  y: Math.round((way.y / room.height) * (canvas.height / (cell.h + canvas.gap))),
})
