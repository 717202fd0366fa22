import { PlusOutlined } from '@ant-design/icons'
import {
  changeDayCheck,
  type DayCheckDetail,
  type DayCheckUnit,
  dayCheckStart,
  removeDayCheckUnit,
} from '@zhugong/contract/daychecks/calls'
import { type DayProblem, dayProblem } from '@zhugong/contract/daychecks/moves'
import { rectifyPeople } from '@zhugong/contract/rectify/calls'
import { majorLevel } from '@zhugong/contract/rectify/moves'
import { Button } from 'antd'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Card, Empty, Notice, Tag } from '#kit/feedback.tsx'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { useOnline } from '#kit/field/online.ts'
import { FormSheet } from '#kit/form-sheet.tsx'
import { Choice, Choices } from '#kit/inputs.tsx'
import { hrefOf } from '#kit/page.tsx'
import { emptyProblem, ProblemEditor } from '../checks/public.tsx'
import { type CheckDraft, emptyUnit, stillWaiting, type UnitDraft, unitKey, withDraft } from './day-draft.ts'
import { PresenceTable } from './day-words.tsx'

interface StepProps {
  file: DayCheckDetail
  draft: CheckDraft
  onChange: (more: Partial<CheckDraft>) => void
  onNext: () => void
}

/** Cards of the units with their progress, presence of the key posts, and problems that belong to no item. */
export function CheckStep({ file, draft, onChange, onNext }: StepProps) {
  const [adding, setAdding] = useState(false)
  const online = useOnline()
  return (
    <>
      <Card
        title="单体"
        remark={`${file.units.filter((one) => one.done).length} / ${file.units.length} 完成`}
        actions={
          <Button icon={<PlusOutlined />} disabled={!online} onClick={() => setAdding(true)}>
            加单体
          </Button>
        }
      >
        <ul className="day-units">
          {file.units.map((unit) => (
            <li key={unit.id}>
              <UnitCard file={file} unit={unit} />
            </li>
          ))}
        </ul>
      </Card>
      {file.presence.length > 0 && (
        <Card title="到岗核查" remark="签到时刻的门禁记录">
          <PresenceTable rows={file.presence} />
        </Card>
      )}
      <Problems file={file} draft={draft} onChange={onChange} />
      <div className="day-bar">
        <Button type="primary" size="large" onClick={onNext}>
          去结论
        </Button>
      </div>
      {adding && <AddUnit file={file} onClose={() => setAdding(false)} />}
    </>
  )
}

function UnitCard({ file, unit: stored }: { file: DayCheckDetail; unit: DayCheckUnit }) {
  const [draft] = useDeviceDraft<UnitDraft>(unitKey(stored.id), emptyUnit)
  const removal = useAct(removeDayCheckUnit, { success: '已移出' })
  const unit = draft ? withDraft(stored, draft) : stored
  const waits = draft && stillWaiting(stored, draft)
  return (
    <div className="day-unit">
      <Link to={hrefOf('/jgt/daycheck/momomerCheck', { id: file.id, unit: unit.id })}>
        <b>{unit.name}</b>
      </Link>
      <span className="zg-2">
        {[unit.structureTypeName, unit.floorsUp && `${unit.floorsUp} 层`, unit.phaseName].filter(Boolean).join(' · ') ||
          unit.sheets.map((one) => one.name).join('、')}
      </span>
      <progress max={Math.max(1, unit.items)} value={unit.judged} aria-label={`${unit.name}进度`} />
      <span className="zg-row zg-gap-6 zg-middle">
        <span className="zg-num">
          {unit.judged} / {unit.items}
        </span>
        {unit.wrong > 0 && <Tag tone="danger">不合格 {unit.wrong}</Tag>}
        {unit.done && <Tag tone="fine">完成</Tag>}
        {waits && <Tag tone="warning">待传</Tag>}
        {!unit.savedAt && !waits && file.mine && (
          <button
            type="button"
            className="zg-bare zg-link zg-end"
            disabled={removal.running}
            onClick={() => void removal.run({ params: { taskId: unit.id }, query: { projectCode: '*' } })}
          >
            移出
          </button>
        )}
      </span>
    </div>
  )
}

function AddUnit({ file, onClose }: { file: DayCheckDetail; onClose: () => void }) {
  const key = useId()
  const start = useCall(dayCheckStart, { query: { projectCode: file.projectCode, discipline: file.discipline } }, { quiet: true })
  const [unitId, setUnitId] = useState<string | null>(null)
  const [sheets, setSheets] = useState<string[]>([])
  const act = useAct(changeDayCheck, { success: '已加入', onDone: onClose })
  const units = (start.data?.units ?? []).filter(({ id }) => !file.units.some((one) => one.unitId === id))
  const save = () =>
    act.run(
      {
        params: { id: file.id },
        query: { projectCode: '*' },
        body: { action: 'addUnit', version: file.version, unitId, name: unitId ? '' : '补充检查', sheets },
      },
      { fieldsShown: true },
    )
  return (
    <FormSheet
      title="加单体"
      saveText="加入"
      saving={act.running}
      onSave={save}
      onClose={onClose}
      errors={act.fieldErrors}
      dirty={sheets.length > 0}
      width={520}
    >
      <div className="day-fields">
        <div className="wide">
          <label className="zg-label" htmlFor={`${key}-unit`}>
            单体（不选为项目整体补充检查）
          </label>
          <Choice
            id={`${key}-unit`}
            value={unitId}
            options={units.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(next) => setUnitId(next ?? null)}
          />
          {act.fieldErrors.unitId && <small className="tone-danger">{act.fieldErrors.unitId}</small>}
        </div>
        <div className="wide">
          <label className="zg-label" htmlFor={`${key}-sheets`}>
            检查表
          </label>
          <Choices
            id={`${key}-sheets`}
            value={sheets}
            options={(start.data?.sheets ?? []).map(({ code, name }) => ({ value: code, label: name }))}
            onChange={(next) => setSheets(next ?? [])}
          />
          {act.fieldErrors.sheets && <small className="tone-danger">{act.fieldErrors.sheets}</small>}
        </div>
      </div>
    </FormSheet>
  )
}

/** Problems of the check: written here, or taken over from failed items in the last step. */
export function Problems({ file, draft, onChange }: Omit<StepProps, 'onNext'>) {
  const people = useCall(rectifyPeople, { query: { projectCode: file.projectCode } }, { quiet: true, offline: true })
  const [editing, setEditing] = useState<{ at: number; value: DayProblem }>()
  const { problems } = draft
  const corps = people.data?.corps ?? []
  const put = (at: number, one: DayProblem) => {
    const next = [...problems]
    next[at] = one
    onChange({ problems: next })
    setEditing(undefined)
  }
  return (
    <Card
      title="问题"
      remark={`${problems.length} 个`}
      actions={
        !editing && (
          <Button
            icon={<PlusOutlined />}
            onClick={() => setEditing({ at: problems.length, value: { ...emptyProblem(), noticeType: null } })}
          >
            加问题
          </Button>
        )
      }
    >
      {problems.length === 0 && !editing && <Empty small text="还没有问题" hint="不合格的检查项在“结论”中列为问题" />}
      <ul className="day-problems">
        {problems.map((one, at) => (
          <li key={`${one.part}${one.description}${one.itemCode ?? ''}`}>
            <p>
              {at + 1}. <b>{one.part}</b> {one.description} {one.mended && <Tag tone="fine">当场改正</Tag>}
              {one.dangerLevel === majorLevel && <Tag tone="danger">重大隐患</Tag>}
            </p>
            <span className="zg-row zg-gap-6">
              <span className="zg-2">
                {corps.find(({ code }) => code === one.corpCode)?.name ?? '未选责任单位'} · {one.mended ? '已改正' : `期限 ${one.deadline}`}
              </span>
              <button type="button" className="zg-bare zg-link zg-end" onClick={() => setEditing({ at, value: one })}>
                修改
              </button>
              <button type="button" className="zg-bare zg-link" onClick={() => onChange({ problems: problems.filter((_, i) => i !== at) })}>
                删除
              </button>
            </span>
          </li>
        ))}
      </ul>
      {editing && (
        <>
          <NoticeKind
            value={editing.value}
            onChange={(noticeType) => setEditing({ ...editing, value: { ...editing.value, noticeType } })}
          />
          <ProblemEditor
            projectCode={file.projectCode}
            title={editing.at < problems.length ? `问题 ${editing.at + 1}` : '新问题'}
            value={editing.value}
            roundPart="现场"
            roundPlaceId={null}
            corps={corps}
            hints={undefined}
            running={false}
            onChange={(value) => setEditing({ ...editing, value: { ...value, noticeType: editing.value.noticeType } })}
            onKeep={(value) => put(editing.at, dayProblem.parse({ ...value, noticeType: editing.value.noticeType }))}
            onCancel={() => setEditing(undefined)}
          />
        </>
      )}
    </Card>
  )
}

const kinds = [
  { value: '2', label: '限期整改' },
  { value: '3', label: '局部停工' },
  { value: '4', label: '全面停工' },
]
/** The kind of notice that a problem asks for; a major hazard offers the stop-work notice. */
/** 限期整改 in dictionary rectifyNoticeType. */
const usualNotice = '2'

function NoticeKind({ value, onChange }: { value: DayProblem; onChange: (noticeType: string | null) => void }) {
  const id = useId()
  return (
    <div className="day-fields">
      <div>
        <label className="zg-label" htmlFor={id}>
          通知类型
        </label>
        <Choice id={id} clear={false} value={value.noticeType ?? usualNotice} options={kinds} onChange={(next) => onChange(next ?? null)} />
      </div>
      {value.dangerLevel === majorLevel && (value.noticeType ?? usualNotice) === usualNotice && (
        <div className="wide">
          <Notice tone="warning">重大隐患一般下发停工整改通知。</Notice>
        </div>
      )}
    </div>
  )
}
