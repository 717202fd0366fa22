import { type GrantState, grantStates, holderTypes } from '@zhugong/contract/apps/codes'
import type { ReactNode } from 'react'
import { Tag, type Tone } from '#kit/feedback.tsx'
import { MenuDrawing } from '#kit/menu-icon.tsx'
import './apps.css'

const tones: Record<GrantState, Tone> = { valid: 'fine', ending: 'warning', grace: 'danger', pending: 'neutral', ended: 'neutral' }

export const StateTag = ({ state }: { state: GrantState }) => <Tag tone={tones[state]}>{grantStates[state]}</Tag>
export const stateOptions = Object.entries(grantStates).map(([value, label]) => ({ value, label }))
export const typeOptions = Object.entries(holderTypes).map(([value, label]) => ({ value, label }))

/** Last day of a grant and the time left in words. */
export function Ending({ deadline, leftTime }: { deadline: string | null; leftTime: number | null }) {
  if (deadline === null || leftTime === null) return <span className="zg-2">长期</span>
  const tone = leftTime < 0 ? 'tone-danger' : leftTime <= 30 ? 'tone-warning' : 'zg-2'
  return (
    <>
      {deadline} <span className={tone}>{leftWords(leftTime)}</span>
    </>
  )
}
export const leftWords = (left: number): string => (left > 0 ? `剩 ${left} 天` : left === 0 ? '今天到期' : `已过 ${-left} 天`)

/** Icon, name and one line of text of an app. */
export function AppName({ icon, name, children }: { icon: string; name: string; children?: ReactNode }) {
  return (
    <span className="apps-name">
      <MenuDrawing name={icon} />
      <span>
        <b>{name}</b>
        {children && <small className="zg-2">{children}</small>}
      </span>
    </span>
  )
}
