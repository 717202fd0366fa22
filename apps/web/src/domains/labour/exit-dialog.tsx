import type { BatchResult } from '@zhugong/contract/labour/model'
import { exitWorkers } from '@zhugong/contract/labour/stays'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { day, time } from '#kit/format.ts'
import { Choice, TimeInput, Upload } from '#kit/inputs.tsx'
import { PageModal } from '#kit/overlay.tsx'
import { givenReasons } from './exit-reasons.ts'
import { FailedList } from './failed-list.tsx'
import './labour.css'

export interface Leaver {
  id: string
  name: string
  teamName: string | null
}
/** From this number of people on, the number must be typed to confirm. */
const typedFrom = 11

/** 退场 of one or more people: states the number and the consequences, reports the result per person. */
export function ExitDialog({
  people,
  onClose,
  onDone,
}: {
  people: readonly Leaver[]
  onClose: () => void
  onDone: (clean: boolean) => void
}) {
  const dicts = useDicts('exitReason')
  const [exitTime, setTime] = useState<string | undefined>(time(Date.now()))
  const [reason, setReason] = useState<string>()
  const [files, setFiles] = useState<string[]>([])
  const [typed, setTyped] = useState('')
  const [result, setResult] = useState<BatchResult>()
  const act = useAct(exitWorkers, {
    success: false,
    onDone: (data) => {
      if (data.failed.length === 0) onClose()
      else setResult(data)
      onDone(data.failed.length === 0)
    },
  })
  const teams = [...new Set(people.map((p) => p.teamName).filter(Boolean))]
  const count = people.length
  const thing = count === 1 ? people[0]?.name : `${teams.length === 1 ? `${teams[0]} ` : ''}${count} 人`
  const word = `退场 ${count} 人`
  const ready = reason && exitTime && (count < typedFrom || typed.trim() === word)
  return (
    <PageModal
      open
      width={440}
      title={`让 ${thing} 退场？`}
      onCancel={onClose}
      footer={
        result ? (
          <Button onClick={onClose}>关闭</Button>
        ) : (
          <>
            <Button onClick={onClose}>不退场</Button>
            <Button
              type="primary"
              danger
              disabled={!ready}
              loading={act.running}
              onClick={() =>
                void act.run({
                  body: { ids: people.map((p) => p.id), exitTime: exitTime ?? '', exitReason: reason ?? '', exitAttachment: files },
                })
              }
            >
              {word}
            </Button>
          </>
        )
      }
    >
      {result ? (
        <FailedList result={result} verb="已退场" />
      ) : (
        <div className="lab-stack">
          <div>
            退场后收回门禁，进退场记录各增一条；工资未结清的仍可继续发放。
            {count > 1 && (
              <div className="zg-2">
                {people
                  .slice(0, 6)
                  .map((p) => p.name)
                  .join('、')}
                {count > 6 ? ` 等 ${count} 人` : ''}
              </div>
            )}
          </div>
          <label htmlFor="exit-time">
            <span>退场时间</span>
            <TimeInput id="exit-time" value={exitTime ?? null} max={day(Date.now())} onChange={setTime} />
          </label>
          <label htmlFor="exit-reason">
            <span>退场原因</span>
            <Choice id="exit-reason" placeholder="请选择" options={givenReasons(dicts)} value={reason ?? null} onChange={setReason} />
          </label>
          <label htmlFor="exit-files">
            <span>退场确认附件（可不填）</span>
            <Upload id="exit-files" value={files} max={6} onChange={setFiles} />
          </label>
          {count >= typedFrom && (
            <label htmlFor="exit-typed">
              <span>输入“{word}”确认</span>
              <Input id="exit-typed" value={typed} placeholder={word} onChange={(event) => setTyped(event.target.value)} />
            </label>
          )}
        </div>
      )}
    </PageModal>
  )
}
