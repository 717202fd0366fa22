import { SettingOutlined } from '@ant-design/icons'
import { Button, Checkbox, Popover, Tooltip } from 'antd'
import { useState } from 'react'
import type { ColumnSetting } from './list-state.ts'

interface Settable {
  key: string
  title: string
  locked?: boolean | undefined
}

export function ColumnSettings({
  arranged,
  narrow,
  onChange,
  onDefault,
  active,
}: {
  arranged: readonly { column: Settable; shown: boolean }[]
  /** Number of columns that do not fit on the screen. */
  narrow: number
  onChange: (settings: ColumnSetting[]) => void
  onDefault: () => void
  active: boolean
}) {
  const [open, setOpen] = useState(false)
  const [draft, setDraft] = useState<{ column: Settable; shown: boolean }[]>([])
  const [dragged, setDragged] = useState<number>()
  const move = (from: number, to: number) => {
    if (to < 0 || to >= draft.length) return
    const next = [...draft]
    const [one] = next.splice(from, 1)
    if (one) next.splice(to, 0, one)
    setDraft(next)
  }
  const panel = (
    <div style={{ width: 252 }}>
      <div style={{ maxHeight: 340, overflow: 'auto' }}>
        {draft.map(({ column, shown }, index) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: keyboard users reorder with the arrow buttons instead of dragging.
          <div
            key={column.key}
            draggable
            onDragStart={() => setDragged(index)}
            onDragOver={(event) => {
              event.preventDefault()
              if (dragged !== undefined && dragged !== index) {
                move(dragged, index)
                setDragged(index)
              }
            }}
            onDragEnd={() => setDragged(undefined)}
            style={{ display: 'flex', alignItems: 'center', gap: 8, height: 28, cursor: 'grab' }}
          >
            <Checkbox
              checked={shown}
              disabled={column.locked ?? false}
              onChange={(event) => setDraft(draft.map((one, i) => (i === index ? { ...one, shown: event.target.checked } : one)))}
            >
              {column.title}
            </Checkbox>
            <span className="zg-row zg-end">
              <button type="button" className="zg-bare zg-2" aria-label={`上移 ${column.title}`} onClick={() => move(index, index - 1)}>
                ↑
              </button>
              <button type="button" className="zg-bare zg-2" aria-label={`下移 ${column.title}`} onClick={() => move(index, index + 1)}>
                ↓
              </button>
            </span>
          </div>
        ))}
      </div>
      <div style={{ display: 'flex', gap: 8, paddingTop: 8, marginTop: 8, borderTop: '1px solid var(--line)' }}>
        <button
          type="button"
          className="zg-bare zg-link"
          style={{ marginRight: 'auto' }}
          onClick={() => {
            onDefault()
            setOpen(false)
          }}
        >
          恢复默认
        </button>
        <Button size="small" onClick={() => setOpen(false)}>
          取消
        </Button>
        <Button
          size="small"
          type="primary"
          onClick={() => {
            onChange(draft.map((one) => ({ key: one.column.key, shown: one.shown })))
            setOpen(false)
          }}
        >
          确定
        </Button>
      </div>
    </div>
  )
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      open={open && active}
      onOpenChange={(next) => {
        if (next) setDraft(arranged.map((one) => ({ ...one })))
        setOpen(next)
      }}
      title={`列设置  显示 ${draft.filter((one) => one.shown).length} / ${draft.length}${narrow ? `，${narrow} 列因屏幕宽度未显示` : ''}`}
      content={panel}
    >
      <Tooltip title={open ? '' : '列设置'}>
        <Button type="text" icon={<SettingOutlined />} aria-label="列设置" />
      </Tooltip>
    </Popover>
  )
}
