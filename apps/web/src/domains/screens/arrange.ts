import { grid, type PanelKey, panelOf } from '@zhugong/contract/screens/catalogue'
import { deliveredScreens } from '@zhugong/contract/screens/delivered'
import { layoutFaults, pageSeconds, type ScreenBody, type ScreenPanel, screenBody } from '@zhugong/contract/screens/model'

export type ScreenPage = ScreenBody['pages'][number]
type Cells = Pick<ScreenPanel, 'x' | 'y' | 'w' | 'h'>

/** Smallest, default and largest size of a panel, in cells. */
export const sizesOf = (key: string) => panelOf(key) ?? { least: [1, 1], usual: [1, 1], most: [grid.columns, grid.rows] }

const within = (n: number, least: number, most: number) => Math.max(least, Math.min(most, n))

/** Moves a panel within the canvas. */
export const moved = <P extends Cells>(panel: P, by: { x: number; y: number }): P => ({
  ...panel,
  x: within(panel.x + by.x, 0, grid.columns - panel.w),
  y: within(panel.y + by.y, 0, grid.rows - panel.h),
})

/** Resizes a panel within the limits of its kind and the canvas. */
export function resized(panel: ScreenPanel, by: { x: number; y: number }): ScreenPanel {
  const { least, most } = sizesOf(panel.panelKey)
  return {
    ...panel,
    w: within(panel.w + by.x, least[0] ?? 1, Math.min(most[0] ?? grid.columns, grid.columns - panel.x)),
    h: within(panel.h + by.y, least[1] ?? 1, Math.min(most[1] ?? grid.rows, grid.rows - panel.y)),
  }
}

const isFree = (placed: readonly Cells[], { x, y, w, h }: Cells): boolean =>
  x + w <= grid.columns &&
  y + h <= grid.rows &&
  placed.every((one) => x >= one.x + one.w || one.x >= x + w || y >= one.y + one.h || one.y >= y + h)

/** First free place for a panel at its default or smallest size; undefined if the page is full. */
export function firstFree(placed: readonly Cells[], key: string): Cells | undefined {
  const { usual, least } = sizesOf(key)
  for (const [w = 1, h = 1] of [usual, least])
    for (let y = 0; y <= grid.rows - h; y++)
      for (let x = 0; x <= grid.columns - w; x++) if (isFree(placed, { x, y, w, h })) return { x, y, w, h }
  return undefined
}

/** A panel id that is not used in the template. */
export function freshUid({ pages }: Pick<ScreenBody, 'pages'>): string {
  const taken = new Set(pages.flatMap(({ panels }) => panels.map((one) => one.uid)))
  let n = taken.size + 1
  while (taken.has(`p${n}`)) n++
  return `p${n}`
}

/** The panel at a free place, or undefined if there is none. */
export function withPanel(body: ScreenBody, page: number, panelKey: PanelKey): { body: ScreenBody; uid: string } | undefined {
  const at = firstFree(body.pages[page]?.panels ?? [], panelKey)
  if (!at) return undefined
  const uid = freshUid(body)
  return { uid, body: onPage(body, page, (one) => ({ ...one, panels: [...one.panels, { uid, panelKey, ...at, params: {} }] })) }
}

export const onPage = (body: ScreenBody, page: number, change: (page: ScreenPage) => ScreenPage): ScreenBody => ({
  ...body,
  pages: body.pages.map((one, i) => (i === page ? change(one) : one)),
})

export const onPanel = (body: ScreenBody, page: number, uid: string, change: (panel: ScreenPanel) => ScreenPanel): ScreenBody =>
  onPage(body, page, (one) => ({ ...one, panels: one.panels.map((panel) => (panel.uid === uid ? change(panel) : panel)) }))

export const emptyPage = (title: string): ScreenPage => ({ title, seconds: pageSeconds.usual, panels: [] })

/** Content of a new template: the default of its level, or a row of figures. */
export function beginning(level: number, from: 'standard' | 'blank'): ScreenBody | undefined {
  const delivered = deliveredScreens.find((one) => one.level === level)?.body
  if (from === 'standard' || !delivered) return delivered
  const panels = [{ uid: 'p1', panelKey: 'kpiStrip', x: 2, y: 0, w: 4, h: 1, params: {} }]
  return { ...delivered, pages: [{ title: '总览', seconds: pageSeconds.usual, panels }] }
}

/** Reasons why a template cannot be saved, with page and panel. */
export function faultsOf(level: number, body: ScreenBody): { page: number; uid: string | undefined; message: string }[] {
  const shape = screenBody.safeParse(body)
  const places = (path: readonly PropertyKey[]) => {
    const page = path[0] === 'pages' && typeof path[1] === 'number' ? path[1] : 0
    const panel = path[2] === 'panels' && typeof path[3] === 'number' ? body.pages[page]?.panels[path[3]] : undefined
    return { page, uid: panel?.uid }
  }
  const wrong = shape.success ? [] : shape.error.issues.map(({ path, message }) => ({ ...places(path), message }))
  return [...wrong, ...layoutFaults(level, body).map(({ path, message }) => ({ ...places(path), message }))]
}

/** Number of empty cells of a page. */
export const emptyCells = ({ panels }: Pick<ScreenPage, 'panels'>): number =>
  grid.columns * grid.rows - panels.reduce((n, { w, h }) => n + w * h, 0)
