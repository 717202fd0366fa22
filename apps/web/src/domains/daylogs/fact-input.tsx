import { type FactInput, type FactKind, factKinds } from '@zhugong/contract/daylogs/fields'
import type { Fact } from '@zhugong/contract/daylogs/shapes'
import { Button } from 'antd'
import { Link } from 'react-router'
import { Tag } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'

const keyOf = (one: Pick<Fact, 'kind' | 'refId'>) => `${one.kind} ${one.refId}`
/** All that the day recorded, as the value of the field. */
export const everyFact = (facts: readonly Fact[]): FactInput[] => facts.map(({ kind, refId }) => ({ kind: kind as FactKind, refId }))

interface FactsProps {
  id?: string
  value?: FactInput[]
  onChange?: (value: FactInput[]) => void
  /** What the day recorded, and what the log kept before. */
  facts: readonly Fact[]
}

/** What the day recorded, kind by kind; each can be taken out and put back. */
export function FactsInput({ id, value = [], onChange, facts }: FactsProps) {
  const chosen = new Set(value.map(keyOf))
  const set = (one: Fact, on: boolean) =>
    onChange?.(on ? [...value, ...everyFact([one])] : value.filter((other) => keyOf(other) !== keyOf(one)))
  const left = facts.filter((one) => !chosen.has(keyOf(one)))
  if (facts.length === 0)
    return (
      <p id={id} className="zg-2">
        当天没有系统记录
      </p>
    )
  return (
    <div id={id} className="log-facts">
      {Object.entries(factKinds).map(([kind, name]) => {
        const some = facts.filter((one) => one.kind === kind && chosen.has(keyOf(one)))
        if (some.length === 0) return null
        return (
          <section key={kind} aria-label={name}>
            <h4>
              {name} <small className="zg-2">系统带入 {some.length} 条</small>
            </h4>
            <ul>
              {some.map((one) => (
                <li key={keyOf(one)}>
                  <FactWords one={one} />
                  <Button size="small" type="text" aria-label={`移除 ${one.text}`} onClick={() => set(one, false)}>
                    移除
                  </Button>
                </li>
              ))}
            </ul>
          </section>
        )
      })}
      {left.length > 0 && (
        <details>
          <summary>未带入 {left.length} 条</summary>
          <ul>
            {left.map((one) => (
              <li key={keyOf(one)} className="zg-2">
                <FactWords one={one} />
                <Button size="small" type="link" aria-label={`带入 ${one.text}`} onClick={() => set(one, true)}>
                  带入
                </Button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

export function FactWords({ one }: { one: Pick<Fact, 'text' | 'amount' | 'unit' | 'state' | 'link'> }) {
  return (
    <span className="log-fact">
      {one.link ? <Link to={one.link}>{one.text}</Link> : one.text}
      {one.amount !== null && (
        <b className="zg-num">
          {' '}
          {thousands(one.amount)} {one.unit}
        </b>
      )}
      {one.state && <Tag icon={false}>{one.state}</Tag>}
    </span>
  )
}
