import { useRef } from 'react'
import { shortTime, time } from '#kit/format.ts'
import type { MachineStatus } from './crane-state.ts'

export interface RailItem {
  id: string
  /** Short name as used on site. */
  label: string
  note: string
  status: MachineStatus
  at: number | undefined
  /** Additional lines for a device with doubtful data. */
  more?: readonly string[]
}

/** List of devices with dot and state; arrow keys move the selection. */
export function DeviceRail({
  items,
  selected,
  onSelect,
}: {
  items: readonly RailItem[]
  selected: string | undefined
  onSelect: (id: string) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const move = (event: React.KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    const at = items.findIndex((one) => one.id === selected)
    const next = items[Math.min(items.length - 1, Math.max(0, at + by))]
    if (!next) return
    onSelect(next.id)
    box.current?.querySelector<HTMLElement>(`[data-id="${next.id}"]`)?.focus()
  }
  return (
    <div className="mon-list" ref={box}>
      {items.map(({ id, label, note, status, at, more }) => (
        <button
          key={id}
          type="button"
          data-id={id}
          className="zg-bare mon-row"
          aria-current={id === selected ? 'true' : undefined}
          onClick={() => onSelect(id)}
          onKeyDown={move}
        >
          <span
            className={`mon-dot ${status.tone === 'offline' || status.tone === 'none' ? '' : 'mon-dot-full'}`}
            data-tone={status.tone}
          />
          <strong>{label}</strong>
          <span className="word" data-tone={status.tone}>
            {status.word}
          </span>
          <span className="below">
            <span className="note" title={note}>
              {note}
            </span>
            <span className="time" title={time(at)}>
              {shortTime(at)}
            </span>
          </span>
          {more?.map((line) => (
            <span className="more" key={line}>
              {line}
            </span>
          ))}
        </button>
      ))}
    </div>
  )
}
