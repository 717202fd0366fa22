import { judgeArea, pastedNumbers, pointResults, toleranceWords } from '@zhugong/contract/measuring/judge'
import { mostPointPhotos } from '@zhugong/contract/measuring/moves'
import type { TaskItem } from '@zhugong/contract/measuring/tasks'
import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react'
import { FieldPhotos } from '#kit/field/field-photos.tsx'
import { notify } from '#kit/notify.ts'
import { emptyArea, type HeldArea } from './held.ts'
import { resultWord } from './words.tsx'

interface GridProps {
  item: TaskItem
  areaAt: (areaNo: number) => HeldArea | undefined
  /** Undefined: shows only. */
  onChange?: ((areaNo: number, area: HeldArea) => void) | undefined
  /** The area whose point on the plan is set by a tap. */
  active: number
  onActive: (areaNo: number) => void
  /** Values may come from the instrument alone. */
  locked: boolean
}

const toneOf = (result: string | null | undefined) =>
  result === pointResults.passed
    ? 'fine'
    : result === pointResults.failed
      ? 'warning'
      : result === pointResults.burst
        ? 'danger'
        : undefined

/** The points of one item at one place: a line for every area, coloured by the verdict as it is typed. Enter moves on, a column can be pasted. */
export function EntryGrid({ item, areaAt, onChange, active, onActive, locked }: GridProps) {
  const box = useRef<HTMLDivElement>(null)
  const areas = Array.from({ length: item.areaCount }, (_, i) => i + 1)
  const focus = (n: number) => box.current?.querySelectorAll<HTMLInputElement>('input[data-point]')[n]?.focus()
  const put = (areaNo: number, values: readonly (number | null)[], from: number) => {
    // What does not fit into an area goes on in the next.
    let rest = [...values]
    let at = from
    for (let no = areaNo; no <= item.areaCount && rest.length > 0; no++) {
      const area = areaAt(no) ?? emptyArea(item)
      const room = item.pointCount - at
      const part = rest.slice(0, room)
      onChange?.(no, { ...area, values: area.values.map((one, i) => (i >= at && i < at + part.length ? (part[i - at] ?? null) : one)) })
      rest = rest.slice(room)
      at = 0
    }
    if (rest.length > 0) notify.warning(`多出 ${rest.length} 个值，没有对应的测点`)
  }
  const paste = (event: ClipboardEvent, areaNo: number, pointNo: number) => {
    const values = pastedNumbers(event.clipboardData.getData('text'))
    if (values?.length === 1) return
    event.preventDefault()
    if (!values) return notify.error('粘贴的内容不全是数字')
    put(areaNo, values, pointNo - 1)
  }
  const move = (event: KeyboardEvent<HTMLInputElement>, n: number) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    focus(n + 1)
  }
  return (
    <div ref={box} className="measuring-grid" role="group" aria-label={`${item.itemName}测点`}>
      {areas.map((areaNo) => {
        const area = areaAt(areaNo) ?? emptyArea(item)
        const verdicts = judgeArea(item, area.designValue, area.values)
        const bursts = verdicts.flatMap((one, i) => (one?.result === pointResults.burst ? [i + 1] : []))
        const shownBursts = item.isRange ? bursts.slice(0, 1) : bursts
        return (
          <section key={areaNo} className="measuring-area" data-active={areaNo === active ? '' : undefined}>
            <button type="button" className="zg-bare measuring-area-no" aria-pressed={areaNo === active} onClick={() => onActive(areaNo)}>
              测区 {areaNo}
            </button>
            {item.isCustomBase && (
              <label className="measuring-base">
                基准
                <input
                  inputMode="decimal"
                  disabled={!onChange}
                  aria-label={`测区 ${areaNo} 基准值`}
                  key={`base ${area.designValue}`}
                  defaultValue={area.designValue ?? ''}
                  onBlur={(event) => {
                    const next = numberOf(event.target.value)
                    if (next === undefined) notify.error('基准值不是数字')
                    else if (next !== area.designValue) onChange?.(areaNo, { ...area, designValue: next })
                  }}
                />
              </label>
            )}
            <div className="measuring-points">
              {area.values.map((value, i) => {
                const verdict = verdicts[i]
                return (
                  <label
                    key={i}
                    className="measuring-point"
                    data-tone={toneOf(verdict?.result)}
                    title={verdict ? `偏差 ${verdict.deviation}，${resultWord(verdict.result)}` : undefined}
                  >
                    <small>{i + 1}</small>
                    <input
                      data-point=""
                      inputMode="decimal"
                      // Keys of the instrument would arrive as typing too: the column of its file is pasted or read instead.
                      readOnly={locked}
                      disabled={!onChange}
                      aria-label={`测区 ${areaNo} 测点 ${i + 1}`}
                      key={`${value}`}
                      defaultValue={value ?? ''}
                      onFocus={(event) => {
                        onActive(areaNo)
                        event.target.select()
                      }}
                      onPaste={(event) => paste(event, areaNo, i + 1)}
                      onKeyDown={(event) => move(event, (areaNo - 1) * item.pointCount + i)}
                      onBlur={(event) => {
                        const next = numberOf(event.target.value)
                        if (next === undefined) {
                          notify.error(`“${event.target.value}”不是数字`)
                          event.target.value = value === null ? '' : String(value)
                        } else if (next !== value) put(areaNo, [next], i)
                      }}
                    />
                    <small>{verdict ? (verdict.result === pointResults.passed ? '✓' : resultWord(verdict.result)) : ''}</small>
                  </label>
                )
              })}
            </div>
            {shownBursts.map((no) => (
              <div key={no} className="measuring-burst">
                <span className="tone-danger">{item.isRange ? '本测区爆点' : `测点 ${no} 爆点`}，请拍照</span>
                <FieldPhotos
                  max={mostPointPhotos}
                  value={area.photos[String(no)] ?? []}
                  onChange={(photos) => onChange?.(areaNo, { ...area, photos: { ...area.photos, [String(no)]: photos } })}
                />
              </div>
            ))}
          </section>
        )
      })}
      <p className="zg-2">
        允许偏差 {toleranceWords(item, item.unit)}
        {item.isRange ? '；极差在测区最后一个测点后判定' : ''}
        {item.method ? `；${item.method}` : ''}
      </p>
    </div>
  )
}

/** Undefined: no number; null: empty. */
function numberOf(text: string): number | null | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return null
  const value = Number(trimmed)
  return Number.isFinite(value) ? Math.round(value * 100) / 100 : undefined
}
