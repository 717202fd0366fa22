export type SheetMode = 'mark' | 'hours' | 'times'

/** The least a day takes, by what its cells show. */
const dayWidths: Readonly<Record<SheetMode, number>> = { mark: 27, hours: 34, times: 44 }
const nameWidth = 72
/** 出勤, 工时, 迟早, 缺卡 and 缺勤 at the right. */
const totalsWidth = 206
/** Five characters, and as many as the longest trades have. */
const trades = { least: 74, most: 132 }
/** A day grows with the window, up to what its marks can fill. */
const widestDay = 48

/** How a month's sheet lies in a box of `width`, all in pixels: a day, the trade, both fixed columns, and the whole. */
export function sheetLayout(width: number, dates: number, mode: SheetMode): { day: number; trade: number; fixed: number; whole: number } {
  const least = dayWidths[mode]
  const room = width - nameWidth - totalsWidth
  const trade = Math.max(trades.least, Math.min(trades.most, room - dates * least))
  const day = Math.max(least, Math.min(widestDay, Math.floor((room - trade) / dates)))
  const fixed = nameWidth + trade
  return { day, trade, fixed, whole: Math.max(width, fixed + dates * day + totalsWidth) }
}

/** Scroll offset in pixels that brings the day at `index` out from under the totals; 0 when it is visible anyway. */
export const scrollToDay = (sheet: { day: number; fixed: number }, width: number, index: number): number =>
  Math.max(0, sheet.fixed + (index + 1) * sheet.day + totalsWidth - width)
