import type { FireDetail } from '@zhugong/contract/fire/calls'
import type { CatalogueItem } from '@zhugong/contract/fire/catalogue'
import type { JudgedProject, SubNote } from '@zhugong/contract/fire/judge'
import { writeFireSub } from '@zhugong/contract/fire/points'
import { deviationOf, judgementWords, leastSamples, results } from '@zhugong/contract/fire/rule'
import { Button, Input } from 'antd'
import { useId, useState } from 'react'
import { useAct } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Card, Tag, type Tone } from '#kit/feedback.tsx'
import { NumberInput } from '#kit/inputs.tsx'
import { Papers } from '#kit/papers.tsx'
import { anyProject, LevelTag, type Shown, VerdictTag } from './fire-words.tsx'
import { PointForm } from './point-form.tsx'

interface SubProps {
  file: FireDetail
  buildId: string
  sub: JudgedProject['subs'][number]
  fullCheck: boolean
  entries: readonly Shown[]
  /** Of the earlier round. */
  past: readonly Shown[]
  note: SubNote | undefined
  next: () => void
}

/** One sub-item: how many places are looked at, what follows so far, and its points with every entry. */
export function SubSheet({ file, buildId, sub, fullCheck, entries, past, note, next }: SubProps) {
  const { judged } = sub
  return (
    <Card
      title={sub.name}
      remark={fullCheck ? '全数检查' : `每子项至少 ${leastSamples} 处`}
      actions={
        <Button size="small" onClick={next}>
          下一子项
        </Button>
      }
    >
      {file.rounds.length > 0 && (
        <p className="fire-verdict">
          <VerdictTag verdict={judged.verdict} />
          <span>{judgementWords(judged)}</span>
          <span className="zg-2 zg-num">
            已抽 {judged.sampled} / {judged.required} 处
          </span>
        </p>
      )}
      {file.mine && (
        <SubNoteForm key={`${note?.total}${note?.absentReason}`} file={file} buildId={buildId} subCode={sub.code} note={note} />
      )}
      {!file.mine && note?.absentReason && <p className="zg-2">整个子项不涉及：{note.absentReason}</p>}
      <ol className="fire-points">
        {sub.points.map((point) => (
          <PointRow
            key={point.code}
            file={file}
            buildId={buildId}
            point={point}
            entries={entries.filter((one) => one.itemCode === point.code)}
            past={past.filter((one) => one.itemCode === point.code)}
            extra={judged.line === 'extraOpen' && judged.extra?.itemCode === point.code ? judged.extra.needed - judged.extra.done : 0}
          />
        ))}
      </ol>
    </Card>
  )
}

function SubNoteForm({ file, buildId, subCode, note }: { file: FireDetail; buildId: string; subCode: string; note: SubNote | undefined }) {
  const key = useId()
  const [total, setTotal] = useState<number | undefined>(note?.total ?? undefined)
  const [reason, setReason] = useState(note?.absentReason ?? '')
  const act = useAct(writeFireSub, { success: '已保存' })
  const save = () =>
    act.run(
      { query: anyProject, body: { assessmentId: file.id, buildId, subCode, total: total ?? null, absentReason: reason || null } },
      { fieldsShown: true },
    )
  return (
    <div className="fire-note">
      <label htmlFor={`${key}-total`}>总处数</label>
      <NumberInput id={`${key}-total`} min={0} precision={0} value={total} onChange={setTotal} />
      <label htmlFor={`${key}-reason`}>整个子项不涉及的原因</label>
      <Input id={`${key}-reason`} maxLength={200} value={reason} onChange={(event) => setReason(event.target.value)} />
      <Button loading={act.running} onClick={() => void save()}>
        保存
      </Button>
      {Object.values(act.fieldErrors).map((text) => (
        <small key={text} className="tone-danger">
          {text}
        </small>
      ))}
    </div>
  )
}

const resultTones: Readonly<Record<string, Tone>> = { [results.fits]: 'fine', [results.fails]: 'danger', [results.absent]: 'neutral' }

interface PointProps {
  file: FireDetail
  buildId: string
  point: CatalogueItem
  entries: readonly Shown[]
  past: readonly Shown[]
  /** Additional places that a failed B asks for. */
  extra: number
}
function PointRow({ file, buildId, point, entries, past, extra }: PointProps) {
  const [adding, setAdding] = useState<string>()
  const parts = [...new Set(entries.map((one) => one.checkPart))]
  return (
    <li>
      <div className="fire-point-head">
        <LevelTag level={point.level} />
        <b>
          {point.code} {point.name}
        </b>
        {point.local && <Tag>本地</Tag>}
        <span className="zg-2">{point.method}</span>
        {file.mine && adding === undefined && (
          <Button size="small" onClick={() => setAdding('')}>
            记录一处
          </Button>
        )}
      </div>
      {past.map((one) => (
        <EntryRow key={one.id} one={one} earlier />
      ))}
      {parts.map((part) => {
        const own = entries.filter((one) => one.checkPart === part)
        return own.map((one, i) => (
          <EntryRow
            key={one.id}
            one={one}
            earlier={i < own.length - 1}
            onChange={file.mine && i === own.length - 1 ? () => setAdding(part) : undefined}
          />
        ))
      })}
      {adding !== undefined && (
        <PointForm
          key={adding}
          file={file}
          buildId={buildId}
          point={point}
          part={adding}
          before={entries.filter((one) => one.checkPart === adding).at(-1)}
          onClose={() => setAdding(undefined)}
        />
      )}
      {file.mine && extra > 0 && (
        <div className="fire-extra">
          <span className="tone-warning">需加抽 {extra} 处</span>
          {Array.from({ length: extra }, (_, i) => (
            <PointForm key={`extra-${entries.length}-${i}`} file={file} buildId={buildId} point={point} part="" before={undefined} extra />
          ))}
        </div>
      )}
    </li>
  )
}

/** One entry; an earlier one of the same place is greyed beside the one that holds. */
function EntryRow({ one, earlier, onChange }: { one: Shown; earlier: boolean; onChange?: (() => void) | undefined }) {
  const dicts = useDicts('fireImpactResult')
  const deviation = deviationOf(one.designValue, one.actualValue)
  return (
    <div className={earlier ? 'fire-entry fire-past' : 'fire-entry'}>
      <Tag tone={resultTones[one.result]}>{dicts.name('fireImpactResult', one.result)}</Tag>
      <span>{one.checkPart}</span>
      {one.designValue && (
        <span className="zg-num">
          设计 {one.designValue} / 实测 {one.actualValue}
          {deviation !== null && (
            <span className={Math.abs(deviation) > one.tolerance ? 'tone-danger' : 'zg-2'}>
              {' '}
              偏差 {deviation}%（允许 {one.tolerance}%）
            </span>
          )}
        </span>
      )}
      {one.productFail && <Tag tone="danger">产品不合格</Tag>}
      {one.waits && <Tag tone="warning">待传</Tag>}
      <span className="zg-2">
        {one.byName} {one.waits ? '' : one.at.slice(5, 16)}
      </span>
      {onChange && (
        <button type="button" className="zg-bare zg-link" onClick={onChange}>
          更改
        </button>
      )}
      {one.description && <p>{one.description}</p>}
      {one.changeReason && <p className="zg-2">更改原因：{one.changeReason}</p>}
      {one.photos.length > 0 && !one.waits && <Papers files={one.photos} name="评定照片" />}
    </div>
  )
}
