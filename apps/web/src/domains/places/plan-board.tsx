import type { PlanPicture } from '@zhugong/contract/places/pins'
import { type KeyboardEvent, type MouseEvent, useState } from 'react'
import { useKeptPicture } from './kept-plans.ts'
import './places.css'

export interface Mark {
  key: string
  /** Shown in the mark, for example the number of the problem. */
  label: string
  /** Shares of width and height from the top left. */
  x: number
  y: number
  title: string
  closed?: boolean
  /** Risk level 1 to 4, in its colour. */
  level?: string
}

interface PlanBoardProps {
  plan: Pick<PlanPicture, 'id' | 'name' | 'picture' | 'ratio'>
  marks: readonly Mark[]
  /** Sets a point by a tap; without it the board only shows. */
  onTap?: (x: number, y: number) => void
}

/** A step of the arrow keys, and where the first one begins. */
const keyStep = 0.02
const middle = { x: 0.5, y: 0.5 }
const spotOf = ({ x, y }: Mark) => ({ left: `${x * 100}%`, top: `${y * 100}%` })
const within = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * 10_000) / 10_000
const moves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-keyStep, 0],
  ArrowRight: [keyStep, 0],
  ArrowUp: [0, -keyStep],
  ArrowDown: [0, keyStep],
}

/** A plan with numbered points. Its place is reserved before the picture arrives. */
export function PlanBoard({ plan, marks, onTap }: PlanBoardProps) {
  const { src, onError } = useKeptPicture(plan)
  const [gone, setGone] = useState(false)
  const content = (
    <>
      {gone ? (
        <span className="place-none">平面图暂时打不开</span>
      ) : (
        <img src={src} alt="" draggable={false} onError={() => void onError().then((found) => setGone(!found))} />
      )}
      {marks.map((mark) => (
        <span
          key={mark.key}
          className="place-mark"
          data-closed={mark.closed ? '' : undefined}
          data-level={mark.level}
          title={mark.title}
          style={spotOf(mark)}
        >
          {mark.label}
        </span>
      ))}
    </>
  )
  const shape = { aspectRatio: plan.ratio }
  if (!onTap)
    return (
      <div
        className="place-board"
        role="img"
        aria-label={`${plan.name}平面图${marks.length > 0 ? `，标有 ${marks.map((one) => one.title).join('；')}` : ''}`}
        style={shape}
      >
        {content}
      </div>
    )
  const tap = (event: MouseEvent<HTMLElement>) => {
    // The keyboard's click has no position: it begins in the middle.
    if (event.detail === 0) return onTap(middle.x, middle.y)
    const box = event.currentTarget.getBoundingClientRect()
    onTap(within((event.clientX - box.left) / box.width), within((event.clientY - box.top) / box.height))
  }
  const move = (event: KeyboardEvent) => {
    const [dx, dy] = moves[event.key] ?? []
    if (dx === undefined || dy === undefined) return
    event.preventDefault()
    const from = marks[0] ?? middle
    onTap(within(from.x + dx), within(from.y + dy))
  }
  return (
    <button
      type="button"
      className="place-board"
      aria-label={`在${plan.name}平面图上点选${marks.length > 0 ? '，方向键微调' : ''}`}
      style={shape}
      onClick={tap}
      onKeyDown={move}
    >
      {content}
    </button>
  )
}
