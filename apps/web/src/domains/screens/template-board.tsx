import { panelOf } from '@zhugong/contract/screens/catalogue'
import type { ScreenPanel } from '@zhugong/contract/screens/model'
import { useRef, useState } from 'react'
import { moved, resized, type ScreenPage } from './arrange.ts'
import { cellsOf, placeOver } from './wall-place.ts'

interface Grip {
  uid: string
  resizes: boolean
  from: { x: number; y: number }
  by: { x: number; y: number }
}

export interface BoardProps {
  page: ScreenPage
  chosen: string | undefined
  wrong: ReadonlySet<string>
  locked: boolean
  onChoose: (uid: string | undefined) => void
  onPlace: (panel: ScreenPanel) => void
  onRemove: (uid: string) => void
}

const arrows: Readonly<Record<string, { x: number; y: number }>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/** Overlay on the wall preview: panels are moved by drag or arrow keys, resized at the corner or with Shift. */
export function Board({ page, chosen, wrong, locked, onChoose, onPlace, onRemove }: BoardProps) {
  const box = useRef<HTMLDivElement>(null)
  const [grip, setGrip] = useState<Grip>()
  const shift = (panel: ScreenPanel, resizes: boolean, by: { x: number; y: number }) => (resizes ? resized(panel, by) : moved(panel, by))
  const shown = (panel: ScreenPanel) => (grip?.uid === panel.uid ? shift(panel, grip.resizes, grip.by) : panel)
  const wayTo = (event: React.PointerEvent) => {
    const { width = 1, height = 1 } = box.current?.getBoundingClientRect() ?? {}
    return grip ? cellsOf({ x: event.clientX - grip.from.x, y: event.clientY - grip.from.y }, { width, height }) : { x: 0, y: 0 }
  }
  const take = (event: React.PointerEvent, uid: string, resizes: boolean) => {
    onChoose(uid)
    if (locked) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setGrip({ uid, resizes, from: { x: event.clientX, y: event.clientY }, by: { x: 0, y: 0 } })
    event.stopPropagation()
  }
  const follow = (event: React.PointerEvent) => grip && setGrip({ ...grip, by: wayTo(event) })
  const drop = () => {
    const panel = page.panels.find((one) => one.uid === grip?.uid)
    if (grip && panel && (grip.by.x || grip.by.y)) onPlace(shift(panel, grip.resizes, grip.by))
    setGrip(undefined)
  }
  const onKey = (event: React.KeyboardEvent, panel: ScreenPanel) => {
    if (locked) return
    const by = arrows[event.key]
    if (by) onPlace(shift(panel, event.shiftKey, by))
    else if (event.key === 'Delete') onRemove(panel.uid)
    else return
    event.preventDefault()
  }
  return (
    <div ref={box} className="screen-over" onPointerDown={() => onChoose(undefined)}>
      {page.panels.map((placed) => {
        const panel = shown(placed)
        const kind = panelOf(panel.panelKey)
        const state = `${panel.uid === chosen ? ' screen-over-chosen' : ''}${wrong.has(panel.uid) ? ' screen-over-wrong' : ''}`
        return (
          <button
            key={panel.uid}
            type="button"
            className={`screen-over-panel${state}`}
            style={placeOver(panel)}
            aria-pressed={panel.uid === chosen}
            aria-label={`${panel.title || kind?.title || panel.panelKey}，第 ${panel.x + 1} 列第 ${panel.y + 1} 行，${panel.w} × ${panel.h} 格；方向键移动，Shift 加方向键改大小`}
            onPointerDown={(event) => take(event, panel.uid, false)}
            onPointerMove={follow}
            onPointerUp={drop}
            onPointerCancel={() => setGrip(undefined)}
            onFocus={() => onChoose(panel.uid)}
            onKeyDown={(event) => onKey(event, placed)}
          >
            <span className="screen-over-size">
              {panel.w} × {panel.h}
            </span>
            {!locked && (
              <i
                className="screen-over-corner"
                onPointerDown={(event) => take(event, panel.uid, true)}
                onPointerMove={follow}
                onPointerUp={drop}
              />
            )}
          </button>
        )
      })}
    </div>
  )
}
