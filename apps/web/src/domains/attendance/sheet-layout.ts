export type SheetMode = 'mark' | 'hours' | 'times'

/** Minimum width of a day in pixels, by what its cells show. */
const dayWidths: Readonly<Record<SheetMode, number>> = { mark: 27, hours: 34, times: 44 }
const nameWidth = 72
/** Columns 出勤, 工时, 迟早, 缺卡 and 缺勤 at the right edge. */
const totalsWidth = 206
/** Width of the trade column: five characters at least, the longest trade names at most. */
const trades = { least: 74, most: 132 }
/** Maximum width of a day; wider cells would look empty. */
const widestDay = 48

/** Column widths of a month sheet in a box of `width`, in pixels: one day, the trade, both fixed columns, and the total. */
export function sheetLayout(width: number, dates: number, mode: SheetMode): { day: number; trade: number; fixed: number; whole: number } {
  const least = dayWidths[mode]
  const room = width - nameWidth - totalsWidth
  const trade = Math.max(trades.least, Math.min(trades.most, room - dates * least))
  const day = Math.max(least, Math.min(widestDay, Math.floor((room - trade) / dates)))
  const fixed = nameWidth + trade
  return { day, trade, fixed, whole: Math.max(width, fixed + dates * day + totalsWidth) }
}

/** Scroll offset in pixels at which the day at `index` is not covered by the totals; 0 if it is visible anyway. */
export const scrollToDay = (sheet: { day: number; fixed: number }, width: number, index: number): number =>
  Math.max(0, sheet.fixed + (index + 1) * sheet.day + totalsWidth - width)
