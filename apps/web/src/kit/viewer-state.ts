/** State changes of the image viewer, as pure functions. */
export interface View {
  scale: number
  rotation: number
  x: number
  y: number
}
export const stillView: View = { scale: 1, rotation: 0, x: 0, y: 0 }
export const hideDelayMs = 100

/** Mouse wheel: one step in × 1.1, one step out × 0.9. */
export const zoomed = (view: View, inward: boolean): View => ({
  ...view,
  scale: Math.min(20, Math.max(0.1, view.scale * (inward ? 1.1 : 0.9))),
})

/** Rotates by 90 degrees: 0, 90, 180, 270, 360, then 0 again. */
export const rotated = (view: View): View => ({ ...view, rotation: view.rotation >= 360 ? 0 : view.rotation + 90 })

export const dragged = (view: View, dx: number, dy: number): View => ({ ...view, x: view.x + dx, y: view.y + dy })
