import { Checkbox, Spin } from 'antd'
import type { ReactNode } from 'react'
import { type RowAction, RowActions } from './row-actions.tsx'
import type { Titled } from './table-columns.tsx'

/** Number of values below the head of a card (name, place, state). More are shown on the detail page. */
const mostBelow = 7

/**
 * Splits the columns into those for the head of a card and those below it, in their order. Columns that a narrow table keeps (state,
 * deadline) are below before others.
 */
export function phoneColumns<C extends { key: string; locked?: boolean | undefined; keeps?: boolean | undefined }>(
  columns: readonly C[],
): { head: C[]; below: C[] } {
  const named = columns.findIndex((column) => column.locked)
  const head = columns.slice(0, named < 0 || named > 2 ? 1 : named + 1)
  const own = named > 2 ? [...head, ...columns.slice(named, named + 1)] : head
  const rest = columns.filter((column) => !own.includes(column))
  const kept = rest.filter((column) => column.keeps)
  const others = rest.filter((column) => !column.keeps).slice(0, Math.max(0, mostBelow - kept.length))
  return { head: own, below: rest.filter((column) => kept.includes(column) || others.includes(column)).slice(0, mostBelow) }
}

const isEmpty = (value: ReactNode): boolean => value === null || value === undefined || value === '' || value === false

interface PhoneRowsProps<Row> {
  rows: readonly Row[]
  columns: readonly Titled<Row>[]
  keyOf: (row: Row) => string
  actions: ((row: Row) => RowAction[]) | undefined
  onRow: ((row: Row) => void) | undefined
  rowClass: ((row: Row) => string) | undefined
  select: { chosen: ReadonlySet<string>; disabled: (row: Row) => boolean; toggle: (key: string) => void } | undefined
  fetching: boolean
  empty: ReactNode
}

/** A table on a phone: each row is a card with name, values and actions. */
export function PhoneRows<Row extends object>({
  rows,
  columns,
  keyOf,
  actions,
  onRow,
  rowClass,
  select,
  fetching,
  empty,
}: PhoneRowsProps<Row>) {
  if (rows.length === 0) return <div className="zg-phone-empty">{empty}</div>
  const { head, below } = phoneColumns(columns)
  return (
    <Spin spinning={fetching && rows.length === 0}>
      <ul className="zg-phone-rows">
        {rows.map((row, index) => {
          const key = keyOf(row)
          const said = below.map((column) => ({ column, value: column.value(row, index) })).filter(({ value }) => !isEmpty(value))
          const items = actions?.(row) ?? []
          return (
            <li key={key} className={rowClass?.(row) ?? ''}>
              <div className="head">
                {select && (
                  <Checkbox
                    aria-label={`选择第 ${index + 1} 行`}
                    checked={select.chosen.has(key)}
                    disabled={select.disabled(row)}
                    onChange={() => select.toggle(key)}
                  />
                )}
                {head.map((column) => (
                  <div key={column.key} className={column.locked ? 'name' : ''}>
                    {column.value(row, index)}
                  </div>
                ))}
              </div>
              <dl>
                {said.map(({ column, value }) => (
                  <div key={column.key}>
                    <dt>{column.title}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
              </dl>
              <div className="acts">
                {onRow && (
                  <button type="button" className="zg-bare zg-link" onClick={() => onRow(row)}>
                    打开
                  </button>
                )}
                {items.length > 0 && <RowActions items={items} />}
              </div>
            </li>
          )
        })}
      </ul>
    </Spin>
  )
}
