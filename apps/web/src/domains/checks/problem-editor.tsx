import { mostProblemPhotos, type ProblemInput, problemInput } from '@zhugong/contract/checks/problems'
import { dayMs } from '@zhugong/contract/kit/time'
import { majorLevel, usualDays } from '@zhugong/contract/rectify/moves'
import { Button, Input, Segmented, Switch } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { useDicts } from '#kit/dicts.ts'
import { Card, Notice } from '#kit/feedback.tsx'
import { FieldPhotos } from '#kit/field/field-photos.tsx'
import { VoiceNotes } from '#kit/field/voice-notes.tsx'
import { day } from '#kit/format.ts'
import { Choice, DayInput, TreeChoice } from '#kit/inputs.tsx'
import { PlacePicker } from '../places/public.tsx'

/** A problem as it is sent. */
export type Problem = ProblemInput
interface Hints {
  phrases: readonly { description: string; requirement: string; itemCode: string | null }[]
  open: readonly {
    noticeId: string
    noticeCode: string | null
    part: string
    placeId: string | null
    description: string
    itemCode: string | null
    stateName: string
    deadline: string
  }[]
}

export const inDays = (days: number) => day(Date.now() + days * dayMs)
const deadlines = [
  { label: '今天', days: 0 },
  { label: '明天', days: 1 },
  { label: '3 天', days: 3 },
]

/** The next problem begins with the company, person and deadline of the last. */
export const emptyProblem = (last?: Problem): Problem => ({
  description: '',
  part: '',
  placeId: null,
  pin: null,
  itemCode: null,
  clause: null,
  majorClause: null,
  mended: null,
  dangerLevel: '1',
  requirement: '',
  corpCode: last?.corpCode ?? '',
  person: last?.person ?? null,
  deadline: last?.deadline ?? inDays(1),
  photos: [],
  voices: [],
  mendedPhotos: [],
})
/** Something was written that would be lost. */
export const isTouched = (problem: Problem): boolean =>
  problem.description !== '' || problem.photos.length > 0 || (problem.voices?.length ?? 0) > 0

interface EditorProps<P extends Problem> {
  projectCode: string
  title: string
  value: P
  /** The part of the round, which a problem takes unless it says another. */
  roundPart: string
  /** Its place, on the same terms. */
  roundPlaceId: string | null
  corps: readonly { code: string; name: string; people: readonly string[] }[]
  hints: Hints | undefined
  running: boolean
  onChange: (next: P) => void
  onKeep: (problem: P) => void
  onCancel: (() => void) | undefined
  /** How a problem of this kind is written, where that is more than usual. */
  schema?: {
    safeParse: (
      value: unknown,
    ) => { success: true; data: unknown } | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } }
  }
  /** Fields of this kind of problem, instead of the item of the safety library. */
  more?: (faults: Readonly<Record<string, string>>, set: (change: Partial<P>) => void) => ReactNode
  /** What a chosen phrase fills beside its words. */
  fromPhrase?: (phrase: Hints['phrases'][number]) => Partial<P>
  /** What else is wrong, before it is added. */
  fault?: (problem: P) => Partial<Record<keyof P & string, string>>
}

/** One problem: photograph, words, place, who mends it until when. Messages stand at their fields once it is to be added. */
export function ProblemEditor<P extends Problem = Problem>({
  projectCode,
  title,
  value,
  roundPart,
  roundPlaceId,
  corps,
  hints,
  running,
  onChange,
  onKeep,
  onCancel,
  schema = problemInput,
  more,
  fromPhrase = ({ itemCode }) => ({ itemCode }) as Partial<P>,
  fault,
}: EditorProps<P>) {
  const dicts = useDicts('safetyCheckItem', 'hiddenDangerLevel')
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  const [mending, setMending] = useState(Boolean(value.mended))
  const set = (change: Partial<P> | Partial<Problem>) => {
    onChange({ ...value, ...change })
    setFaults({})
  }
  const part = value.part || roundPart
  const placeId = value.placeId ?? (value.part ? null : roundPlaceId)
  const people = corps.find((one) => one.code === value.corpCode)?.people ?? []
  const isMajor = value.dangerLevel === majorLevel
  const known =
    hints?.open.filter((one) => (one.part === part || (placeId !== null && one.placeId === placeId)) && sameProblem(one, value)) ?? []
  const add = () => {
    const parsed = schema.safeParse({ ...value, part, placeId, mended: mending ? (value.mended ?? '') : null })
    const found: Record<string, string> = {}
    // Of several messages about one field the first counts.
    if (!parsed.success) for (const { path, message } of parsed.error.issues) found[String(path[0])] ??= message
    if (isMajor && !value.majorClause) found.majorClause = '重大隐患须填写判定条款'
    if (mending && !value.mended) found.mended = '请填写改正措施'
    if (mending && !value.mendedPhotos?.length) found.mendedPhotos = '请附改正后照片'
    if (parsed.success) for (const [name, words] of Object.entries(fault?.(parsed.data as P) ?? {})) found[name] ??= words as string
    setFaults(found)
    if (parsed.success && Object.keys(found).length === 0) onKeep(parsed.data as P)
  }
  return (
    <Card title={title} className="check-problem">
      <Labelled label="照片" problem={faults.photos}>
        {(id) => <FieldPhotos id={id} max={mostProblemPhotos} value={value.photos} onChange={(photos) => set({ photos })} />}
      </Labelled>
      <Labelled label="问题" problem={faults.description}>
        {(id) => (
          <Input.TextArea
            id={id}
            rows={2}
            maxLength={500}
            placeholder="看到了什么，在哪里，有多少"
            value={value.description}
            onChange={(event) => set({ description: event.target.value })}
          />
        )}
      </Labelled>
      <Labelled label="录音（可不录）" problem={faults.voices}>
        {(id) => <VoiceNotes id={id} value={value.voices} onChange={(voices) => set({ voices })} />}
      </Labelled>
      <Phrases
        all={hints?.phrases ?? []}
        typed={value.description}
        onPick={(one) => set({ description: one.description, requirement: one.requirement, ...fromPhrase(one) })}
      />
      {known.map((one) => (
        <Notice key={one.noticeId + one.description} tone="warning">
          该部位已有未闭合的同类问题：{one.description}（{one.noticeCode ?? ''}，{one.stateName}，期限 {one.deadline}）
        </Notice>
      ))}
      <Labelled label="整改要求" problem={faults.requirement}>
        {(id) => (
          <Input
            id={id}
            maxLength={500}
            placeholder="做到什么程度算改好"
            value={value.requirement}
            onChange={(event) => set({ requirement: event.target.value })}
          />
        )}
      </Labelled>
      <Labelled label="部位" problem={faults.part}>
        {(id) => (
          <Input
            id={id}
            maxLength={100}
            placeholder={roundPart || '与检查部位不同时填写'}
            value={value.part}
            onChange={(event) => set({ part: event.target.value })}
          />
        )}
      </Labelled>
      <Labelled label="位置（可不选）" problem={faults.placeId ?? faults.pin}>
        {(id) => (
          <PlacePicker
            id={id}
            projectCode={projectCode}
            placeId={placeId}
            pin={value.pin}
            withPin
            offline
            onChange={(chosen, place) =>
              set({ placeId: chosen?.placeId ?? null, pin: chosen?.pin ?? null, part: value.part || (place?.fullName ?? '') })
            }
          />
        )}
      </Labelled>
      <Labelled label="责任单位" problem={faults.corpCode}>
        {(id) => (
          <Choice
            id={id}
            options={corps.map((one) => ({ value: one.code, label: one.name }))}
            value={value.corpCode || null}
            onChange={(corpCode) => set({ corpCode: corpCode ?? '', person: null })}
          />
        )}
      </Labelled>
      <Labelled label="整改人" problem={faults.person}>
        {(id) =>
          people.length > 0 ? (
            <Choice
              id={id}
              options={people.map((name) => ({ value: name, label: name }))}
              value={value.person ?? null}
              onChange={(person) => set({ person: person ?? null })}
            />
          ) : (
            <Input id={id} maxLength={50} value={value.person ?? ''} onChange={(event) => set({ person: event.target.value || null })} />
          )
        }
      </Labelled>
      <Labelled label="期限" problem={faults.deadline}>
        {(id) => (
          <>
            <DayInput id={id} min={inDays(0)} value={value.deadline} onChange={(deadline) => set({ deadline: deadline ?? inDays(1) })} />
            <div className="check-chips">
              {deadlines.map(({ label, days }) => (
                <button
                  key={label}
                  type="button"
                  aria-pressed={value.deadline === inDays(days)}
                  onClick={() => set({ deadline: inDays(days) })}
                >
                  {label}
                </button>
              ))}
            </div>
          </>
        )}
      </Labelled>
      <Labelled label="隐患等级" problem={faults.dangerLevel}>
        {() => (
          <Segmented
            block
            size="large"
            options={dicts.options('hiddenDangerLevel')}
            value={value.dangerLevel}
            onChange={(dangerLevel) =>
              set(
                dangerLevel === majorLevel
                  ? { dangerLevel, deadline: inDays(usualDays[majorLevel] ?? 1) }
                  : { dangerLevel, majorClause: null },
              )
            }
          />
        )}
      </Labelled>
      {isMajor && (
        <>
          <Notice tone="danger">重大隐患提交后立即通知项目经理、施工单位、监理单位和监督机构。</Notice>
          <Labelled label="判定条款" problem={faults.majorClause}>
            {(id) => (
              <Input
                id={id}
                maxLength={200}
                placeholder="重大事故隐患判定标准第几条"
                value={value.majorClause ?? ''}
                onChange={(event) => set({ majorClause: event.target.value || null })}
              />
            )}
          </Labelled>
        </>
      )}
      {more?.(faults, set)}
      {!more && (
        <Labelled label="检查项（可不选）" problem={faults.itemCode}>
          {(id) => (
            <TreeChoice
              id={id}
              tree={dicts.tree('safetyCheckItem')}
              value={value.itemCode ?? null}
              onChange={(itemCode) => set({ itemCode: itemCode ?? null })}
            />
          )}
        </Labelled>
      )}
      {!isMajor && (
        <>
          <p className="zg-row zg-middle zg-gap-6 check-mended">
            <Switch checked={mending} aria-label="当场改正" onChange={setMending} /> 已当场改正
          </p>
          {mending && (
            <>
              <Labelled label="改正措施" problem={faults.mended}>
                {(id) => (
                  <Input
                    id={id}
                    maxLength={500}
                    placeholder="当场做了什么"
                    value={value.mended ?? ''}
                    onChange={(event) => set({ mended: event.target.value || null })}
                  />
                )}
              </Labelled>
              <Labelled label="改正后照片" problem={faults.mendedPhotos}>
                {(id) => (
                  <FieldPhotos
                    id={id}
                    max={mostProblemPhotos}
                    value={value.mendedPhotos ?? []}
                    onChange={(mendedPhotos) => set({ mendedPhotos })}
                  />
                )}
              </Labelled>
            </>
          )}
        </>
      )}
      <p className="zg-row zg-gap-6">
        <Button type="primary" ghost size="large" loading={running} onClick={add}>
          {onCancel ? '完成修改' : '加入本次检查'}
        </Button>
        {onCancel && (
          <Button size="large" onClick={onCancel}>
            取消
          </Button>
        )}
      </p>
    </Card>
  )
}

/** The same item, or the same words. */
const sameProblem = (open: Hints['open'][number], { itemCode, description }: Problem): boolean =>
  (itemCode !== undefined && itemCode !== null && open.itemCode === itemCode) || (description !== '' && open.description === description)

export function Labelled({
  label,
  problem,
  children,
}: {
  label: string
  problem: string | undefined
  children: (id: string) => ReactNode
}) {
  const id = useId()
  return (
    <div>
      <label className="zg-label" htmlFor={id}>
        {label}
      </label>
      {children(id)}
      {problem && (
        <small className="tone-danger" role="alert">
          {problem}
        </small>
      )}
    </div>
  )
}

const shownPhrases = 8

/** Problems written before on this site; typing narrows them. */
function Phrases({ all, typed, onPick }: { all: Hints['phrases']; typed: string; onPick: (phrase: Hints['phrases'][number]) => void }) {
  const fitting = all.filter((one) => typed === '' || one.description.includes(typed)).slice(0, shownPhrases)
  if (fitting.length === 0) return null
  return (
    <div className="check-chips">
      {fitting.map((one) => (
        <button key={one.description} type="button" aria-pressed={one.description === typed} onClick={() => onPick(one)}>
          {one.description}
        </button>
      ))}
    </div>
  )
}
