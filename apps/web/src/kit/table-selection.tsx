import { type ReactNode, useState } from 'react'
import type { ListPage } from './list.ts'
import { selectionSummary } from './list-state.ts'

export interface Selection<Row> {
  /** Measure word of the rows: 人, 台, 条. */
  unit?: string
  /** Buttons in the footer for the selected rows. */
  actions?: (rows: readonly Row[], clear: () => void) => ReactNode
  disabled?: (row: Row) => boolean
  onChange?: (rows: readonly Row[]) => void
}

export function useSelected<Row>(list: ListPage<Row>, keyOfRow: (row: Row) => string, selection: Selection<Row> | true | undefined) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, { row: Row; page: number }>>(new Map())
  const [onlyChosen, setOnlyChosen] = useState(false)
  const change = (next: ReadonlyMap<string, { row: Row; page: number }>) => {
    setChosen(next)
    if (next.size === 0) setOnlyChosen(false)
    if (selection && selection !== true) selection.onChange?.([...next.values()].map((one) => one.row))
  }
  return {
    chosen,
    onlyChosen,
    setOnlyChosen,
    clear: () => change(new Map()),
    choose: (keys: readonly string[]) => {
      const here = new Map(list.rows.map((row) => [keyOfRow(row), row]))
      const next = new Map<string, { row: Row; page: number }>()
      for (const key of keys) {
        const known = chosen.get(key)
        const row = here.get(key)
        if (known) next.set(key, known)
        else if (row) next.set(key, { row, page: list.page })
      }
      change(next)
    },
  }
}

export function SelectionBar(props: {
  chosen: ReadonlyMap<string, { page: number }>
  page: number
  unit: string
  only: boolean
  setOnly: (only: boolean) => void
  clear: () => void
  children: ReactNode
}) {
  const where = selectionSummary(new Map([...props.chosen].map(([key, one]) => [key, one.page])), props.page)
  return (
    <>
      <span>
        已选 <b style={{ color: 'var(--primary)' }}>{props.chosen.size}</b> {props.unit}
        {where && <span className="zg-2">（{where}）</span>}
      </span>
      <button type="button" className="zg-bare zg-link" onClick={() => props.setOnly(!props.only)}>
        {props.only ? '返回列表' : '查看已选'}
      </button>
      <button type="button" className="zg-bare zg-link" onClick={props.clear}>
        取消选择
      </button>
      {props.children}
    </>
  )
}
