import { AimOutlined } from '@ant-design/icons'
import { changeDayCheck, type DayCheckDetail, dayCheckStart } from '@zhugong/contract/daychecks/calls'
import { mostCheckInPhotos } from '@zhugong/contract/daychecks/moves'
import { Button, Input } from 'antd'
import { useId, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Card, Notice, Pairs } from '#kit/feedback.tsx'
import { FieldPhotos } from '#kit/field/field-photos.tsx'
import { devicePosition } from '#kit/field/photos.ts'
import { useFieldAct } from '#kit/field/use-field-act.ts'
import { time } from '#kit/format.ts'
import { Choice } from '#kit/inputs.tsx'
import { uid } from '#kit/uid.ts'
import type { CheckDraft } from './day-draft.ts'
import { PresenceTable } from './day-words.tsx'
import { Facts } from './task-step.tsx'

interface StepProps {
  file: DayCheckDetail
  arrived: boolean
  draft: CheckDraft
  onChange: (more: Partial<CheckDraft>) => void
  onNext: () => void
}

/** Arrival: position, photograph, progress; works without network. */
export function ArriveStep({ file, arrived, draft, onChange, onNext }: StepProps) {
  const start = useCall(
    dayCheckStart,
    { query: { projectCode: file.projectCode, discipline: file.discipline } },
    { quiet: true, offline: true },
  )
  return (
    <>
      {start.data && <Facts facts={start.data.facts} />}
      {file.checkIn ? (
        <Arrived file={file} onNext={onNext} />
      ) : arrived ? (
        <Notice tone="info" actions={<Button onClick={onNext}>去检查</Button>}>
          签到已存在本机，联网后自动发送；检查可以继续。
        </Notice>
      ) : (
        <CheckIn file={file} draft={draft} onChange={onChange} onNext={onNext} />
      )}
    </>
  )
}

function CheckIn({ file, draft, onChange, onNext }: Omit<StepProps, 'arrived'>) {
  const key = useId()
  const dicts = useDicts('projectPhase')
  const [at, setAt] = useState<{ lng: number; lat: number } | null>()
  const [finding, setFinding] = useState(false)
  const [photos, setPhotos] = useState<string[]>([])
  const [reason, setReason] = useState('')
  const [actKey] = useState(() => uid())
  const act = useFieldAct(changeDayCheck, {
    success: '已签到',
    onDone: onNext,
    onKept: () => {
      onChange({ arrived: true })
      onNext()
    },
  })
  const may = file.actions.some((one) => one.action === 'checkIn')
  const locate = async () => {
    setFinding(true)
    setAt((await devicePosition()) ?? null)
    setFinding(false)
  }
  const error = (field: string) => act.fieldErrors[field] && <small className="tone-danger">{act.fieldErrors[field]}</small>
  const send = () =>
    act.run(
      {
        params: { id: file.id },
        query: { projectCode: '*' },
        body: {
          action: 'checkIn',
          version: file.version,
          actKey,
          at: time(Date.now()),
          lng: at?.lng ?? null,
          lat: at?.lat ?? null,
          abnormalReason: reason.trim() || null,
          photos,
          progress: draft.progress,
        },
      },
      { id: `daycheck-in ${file.id}`, title: `签到 ${file.projectName}`, page: `/jgt/daycheck/edit?id=${file.id}`, lines: [] },
    )
  return (
    <>
      <Card title="到场">
        <div className="day-fields">
          <div className="wide">
            <Button size="large" icon={<AimOutlined />} loading={finding} onClick={() => void locate()}>
              {at ? '重新定位' : '获取定位'}
            </Button>{' '}
            {at && (
              <span className="zg-2">
                {at.lng.toFixed(5)}，{at.lat.toFixed(5)}
              </span>
            )}
            {at === null && <span className="tone-warning">没有取得定位，请说明原因</span>}
          </div>
          {(at === null || act.fieldErrors.abnormalReason) && (
            <div className="wide">
              <label className="zg-label" htmlFor={`${key}-reason`}>
                异常说明
              </label>
              <Input
                id={`${key}-reason`}
                size="large"
                maxLength={200}
                placeholder="如：地下室无信号，围栏坐标有误"
                value={reason}
                onChange={(event) => setReason(event.target.value)}
              />
              {error('abnormalReason')}
            </div>
          )}
          <div className="wide">
            <label className="zg-label" htmlFor={`${key}-photos`}>
              到场照片
            </label>
            <FieldPhotos id={`${key}-photos`} max={mostCheckInPhotos} value={photos} onChange={setPhotos} />
            {error('photos')}
          </div>
          <div>
            <label className="zg-label" htmlFor={`${key}-progress`}>
              形象进度
            </label>
            <Choice
              id={`${key}-progress`}
              value={draft.progress}
              options={dicts.options('projectPhase')}
              onChange={(progress) => onChange({ progress: progress ?? null })}
            />
            {error('progress')}
          </div>
        </div>
      </Card>
      <div className="day-bar">
        <Button type="primary" size="large" loading={act.running} disabled={!may || at === undefined} onClick={() => void send()}>
          签到，开始检查
        </Button>
        <span className="zg-2">{at === undefined ? '先获取定位' : '签到时自动带出关键岗位到岗情况'}</span>
      </div>
    </>
  )
}

function Arrived({ file, onNext }: { file: DayCheckDetail; onNext: () => void }) {
  const { checkIn } = file
  if (!checkIn) return null
  return (
    <>
      {file.locationAbnormal && <Notice tone="warning">签到异常：{checkIn.abnormalReason}</Notice>}
      <Card title="签到" actions={<Button onClick={onNext}>去检查</Button>}>
        <Pairs
          items={[
            { label: '签到', value: `${checkIn.at.slice(0, 16)} ${checkIn.byName}` },
            { label: '距围栏', value: checkIn.outsideM === null ? '未知' : checkIn.outsideM === 0 ? '围栏内' : `${checkIn.outsideM} 米` },
            { label: '形象进度', value: file.progressName },
          ]}
        />
      </Card>
      <Card title="到岗核查" remark="签到时刻的门禁记录">
        <PresenceTable rows={file.presence} />
      </Card>
    </>
  )
}
