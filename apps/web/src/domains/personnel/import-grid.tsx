import {
  type ImportField,
  type ImportRow,
  type ImportRowState,
  importColumns,
  stayFieldsOfImport,
} from '@zhugong/contract/personnel/import'
import { Input } from 'antd'
import { type ClipboardEvent, type KeyboardEvent, useState } from 'react'
import { Tag, type Tone } from '#kit/feedback.tsx'
import { blockOf } from './import-words.ts'

export interface CellChange {
  row: number
  field: ImportField
  value: string
  version: number
  /** Previous value, for undo. */
  before: string
}

const tones: Readonly<Record<ImportRowState, Tone>> = {
  new: 'running',
  ok: 'fine',
  warning: 'warning',
  error: 'danger',
  duplicate: 'danger',
  done: 'fine',
  failed: 'danger',
  skipped: 'neutral',
}

/** Errors of a row in words, because its cells may be out of view. */
const whyOf = (row: ImportRow): string => row.message || row.issues.map((issue) => issue.text).join('；')

/** Rows as in the template. A cell is edited by click, accepts a pasted block, and fills down by Ctrl+D. */
export function ImportGrid({
  rows,
  withStay,
  withEmpty,
  editable,
  onChange,
}: {
  rows: readonly ImportRow[]
  withStay: boolean
  /** Also show optional columns that are empty in all rows. */
  withEmpty: boolean
  editable: boolean
  onChange: (changes: CellChange[]) => void
}) {
  const [open, setOpen] = useState<string>()
  const columns = importColumns.filter(
    (c) =>
      (withStay || c.key === 'corp' || !stayFieldsOfImport.includes(c.key)) &&
      (withEmpty || c.required || rows.some((row) => row.cells[c.key] || row.issues.some((issue) => issue.field === c.key))),
  )
  const change = (row: ImportRow, field: ImportField, value: string): CellChange[] => {
    const before = row.cells[field] ?? ''
    return before === value || row.state === 'done' ? [] : [{ row: row.row, field, value, version: row.version, before }]
  }
  const block = (text: string, row: number, column: number): CellChange[] =>
    blockOf(text).flatMap((line, down) =>
      line.flatMap((value, right) => {
        const [at, title] = [rows[row + down], columns[column + right]]
        return at && title ? change(at, title.key, value) : []
      }),
    )
  const send = (changes: CellChange[]) => {
    setOpen(undefined)
    if (changes.length) onChange(changes)
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard when none of its cells may be edited
    <section className="per-grid" tabIndex={0} aria-label="工作簿各行">
      <table>
        <thead>
          <tr>
            <th>行</th>
            <th>状态</th>
            {columns.map((c) => (
              <th key={c.key}>{c.title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={row.row}>
              <td className="fixed">{row.row}</td>
              <td className="fixed">
                <Tag tone={tones[row.state]} icon={false}>
                  {row.stateName}
                </Tag>
                {row.state !== 'done' && whyOf(row) && (
                  <div className={`per-row-why tone-${tones[row.state]}`} title={whyOf(row)}>
                    {whyOf(row)}
                  </div>
                )}
              </td>
              {columns.map((c, column) => {
                const key = `${row.row} ${c.key}`
                const value = row.cells[c.key] ?? ''
                const issues = row.issues.filter((issue) => issue.field === c.key)
                const level = issues.some((issue) => issue.level === 'error') ? 'error' : issues.length ? 'warning' : ''
                const why = issues.map((issue) => issue.text).join('；')
                return (
                  <td key={c.key} className={level ? `per-cell-${level}` : ''}>
                    {open === key ? (
                      <OpenCell
                        label={`第 ${row.row} 行${c.title}`}
                        value={value}
                        onDone={(typed) => send(change(row, c.key, typed))}
                        onPaste={(text) => send(block(text, at, column))}
                        onFillDown={(typed) => send(rows.slice(at).flatMap((below) => change(below, c.key, typed)))}
                        onClose={() => setOpen(undefined)}
                      />
                    ) : (
                      <button
                        type="button"
                        className="zg-bare per-cell"
                        disabled={!editable || row.state === 'done'}
                        title={why || value}
                        aria-label={`第 ${row.row} 行${c.title} ${value} ${why}`}
                        onClick={() => setOpen(key)}
                      >
                        {value || (level ? '—' : '')}
                      </button>
                    )}
                    {why && <div className={`per-why ${level === 'error' ? 'tone-danger' : 'tone-warning'}`}>{why}</div>}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function OpenCell({
  label,
  value,
  onDone,
  onPaste,
  onFillDown,
  onClose,
}: {
  label: string
  value: string
  onDone: (typed: string) => void
  onPaste: (text: string) => void
  onFillDown: (typed: string) => void
  onClose: () => void
}) {
  const [typed, setTyped] = useState(value)
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
    if (event.key === 'Enter') onDone(typed.trim())
    if (event.key === 'd' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      onFillDown(typed.trim())
    }
  }
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain')
    if (!/[\t\n]/.test(text.trim())) return
    event.preventDefault()
    onPaste(text)
  }
  return (
    <Input
      autoFocus
      size="small"
      aria-label={label}
      maxLength={300}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={keys}
      onPaste={paste}
      onBlur={() => onDone(typed.trim())}
    />
  )
}
