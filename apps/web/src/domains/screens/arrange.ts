import { grid, type PanelKey, panelOf } from '@zhugong/contract/screens/catalogue'
import { deliveredScreens } from '@zhugong/contract/screens/delivered'
import { layoutFaults, pageSeconds, type ScreenBody, type ScreenPanel, screenBody } from '@zhugong/contract/screens/model'

export type ScreenPage = ScreenBody['pages'][number]
type Cells = Pick<ScreenPanel, 'x' | 'y' | 'w' | 'h'>

/** What a panel of the catalogue measures in cells: least, usual, most. */
export const sizesOf = (key: string) => panelOf(key) ?? { least: [1, 1], usual: [1, 1], most: [grid.columns, grid.rows] }

const within = (n: number, least: number, most: number) => Math.max(least, Math.min(most, n))

/** A panel elsewhere, kept on the canvas. */
export const moved = <P extends Cells>(panel: P, by: { x: number; y: number }): P => ({
  ...panel,
  x: within(panel.x + by.x, 0, grid.columns - panel.w),
  y: within(panel.y + by.y, 0, grid.rows - panel.h),
})

/** A panel larger or smaller, within what its kind allows and what the canvas leaves. */
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

/** The first free place for a panel, at its usual size or else its least; undefined where the page is full. */
export function firstFree(placed: readonly Cells[], key: string): Cells | undefined {
  const { usual, least } = sizesOf(key)
  for (const [w = 1, h = 1] of [usual, least])
    for (let y = 0; y <= grid.rows - h; y++)
      for (let x = 0; x <= grid.columns - w; x++) if (isFree(placed, { x, y, w, h })) return { x, y, w, h }
  return undefined
}

/** A name no panel of the template has. */
export function freshUid({ pages }: Pick<ScreenBody, 'pages'>): string {
  const taken = new Set(pages.flatMap(({ panels }) => panels.map((one) => one.uid)))
  let n = taken.size + 1
  while (taken.has(`p${n}`)) n++
  return `p${n}`
}

/** The panel with a place of its own, or undefined where there is none left. */
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

/** What a new template begins with: the delivered one of its level, or a line of figures to build on. */
export function beginning(level: number, from: 'standard' | 'blank'): ScreenBody | undefined {
  const delivered = deliveredScreens.find((one) => one.level === level)?.body
  if (from === 'standard' || !delivered) return delivered
  const panels = [{ uid: 'p1', panelKey: 'kpiStrip', x: 2, y: 0, w: 4, h: 1, params: {} }]
  return { ...delivered, pages: [{ title: '总览', seconds: pageSeconds.usual, panels }] }
}

/** Everything that keeps a template from being saved, in words; the page and panel it is about. */
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

/** Cells of a page on which nothing stands. */
export const emptyCells = ({ panels }: Pick<ScreenPage, 'panels'>): number =>
  grid.columns * grid.rows - panels.reduce((n, { w, h }) => n + w * h, 0)
