import { addPourStep, nextPourSteps, type PourStep, type PourStepKind, pourStepKinds } from '@zhugong/contract/monitoring/formwork/formwork'
import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Notice } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import { LongText, NumberInput } from '#kit/inputs.tsx'
import { PageModal } from '#kit/overlay.tsx'
import { useOpenAdvice } from './give-advice.tsx'
import { useLastZero } from './zero-bay.tsx'

/** Check list before pouring. */
const checks = ['专项方案已审批', '安全技术交底', '支架验收合格', '测点归零', '通信测试', '警戒人员到位'] as const

/** Additional check if there is advice for this pour. */
const adviceRead = '浇筑建议已交底'

interface PourActionsProps {
  projectCode: string
  bayName: string
  last: PourStep | undefined
}

/** Actions available in the pour; stopping takes one press and a confirmation. */
export function PourActions({ projectCode, bayName, last }: PourActionsProps) {
  const may = useCan(addPourStep)
  const [dialog, setDialog] = useState<PourStepKind>()
  if (!may || bayName === '') return null
  return (
    <>
      {nextPourSteps(last?.kind).map((kind) => (
        <Button
          key={kind}
          type={kind === 'start' || kind === 'evacuated' ? 'primary' : 'default'}
          danger={kind === 'stop'}
          onClick={() => setDialog(kind)}
        >
          {pourStepKinds[kind]}
        </Button>
      ))}
      {dialog && <Step kind={dialog} projectCode={projectCode} bayName={bayName} last={last} onClose={() => setDialog(undefined)} />}
    </>
  )
}

const asks: Readonly<Record<PourStepKind, string>> = {
  start: '开始后测点 15 秒没有数据提示，120 秒没有数据报警。',
  layer: '登记这一层浇完时的累计方量。',
  stop: '停泵并撤离支架上下全部人员，撤离用时从现在起算。',
  evacuated: '确认支架上下已没有人。',
  resume: '写明原因和措施；恢复由有权的人签字，会记入告警与报告。',
  end: '结束后转入养护监测。',
}

function Step({ kind, projectCode, bayName, last, onClose }: PourActionsProps & { kind: PourStepKind; onClose: () => void }) {
  const [ticked, setTicked] = useState<string[]>([])
  const [volume, setVolume] = useState<number | undefined>(kind === 'start' ? 0 : (last?.volume ?? undefined))
  const [note, setNote] = useState('')
  const act = useAct(addPourStep, { success: `已登记：${pourStepKinds[kind]}`, onDone: onClose })
  const advice = useOpenAdvice(projectCode, kind === 'start' ? bayName : '')
  const requested = advice.length > 0 ? [...checks, adviceRead] : [...checks]
  const missing = kind === 'start' ? requested.filter((one) => !ticked.includes(one)) : []
  const zero = useLastZero(projectCode, kind === 'start' ? bayName : '')
  const needsNote = missing.length > 0 || kind === 'resume'
  const words = kind === 'start' && missing.length === 0 ? `${requested.join('、')}均已确认` : ''
  return (
    <PageModal
      open
      width={440}
      title={`${pourStepKinds[kind]}：${bayName}`}
      okText={pourStepKinds[kind]}
      cancelText="返回"
      okButtonProps={{ danger: kind === 'stop', loading: act.running, disabled: needsNote && note.trim() === '' }}
      onOk={() =>
        void act.run({
          query: { projectCode },
          body: {
            bayName,
            kind,
            volume: volume ?? null,
            note: [missing.length > 0 ? `未确认：${missing.join('、')}` : words, note.trim()].filter(Boolean).join('；') || null,
          },
        })
      }
      onCancel={onClose}
    >
      <p className="zg-2">{asks[kind]}</p>
      {kind === 'start' && <p className="zg-2">测点归零：{zero ? `${time(zero.at).slice(0, 16)}（${zero.byName}）` : '没有记录'}</p>}
      {advice.map((one) => (
        <Notice key={one.id} tone="info">
          浇筑建议（{one.byName}，{time(one.at).slice(0, 10)}）：{one.text}
        </Notice>
      ))}
      {kind === 'start' && (
        <Checkbox.Group className="bay-checks" value={ticked} options={requested} onChange={(values) => setTicked(values)} />
      )}
      {missing.length > 0 && <Notice tone="warning">还有 {missing.length} 项未确认，仍要开始请写明原因</Notice>}
      {(kind === 'layer' || kind === 'end' || kind === 'stop') && (
        <>
          <label className="bay-field" htmlFor="pour-volume">
            累计方量（m³）
          </label>
          <NumberInput id="pour-volume" value={volume} onChange={(value) => setVolume(value ?? undefined)} />
        </>
      )}
      <label className="bay-field" htmlFor="pour-note">
        {needsNote ? '原因与措施（必填）' : '说明'}
      </label>
      <LongText id="pour-note" value={note} maxLength={200} onChange={(value) => setNote(value ?? '')} />
    </PageModal>
  )
}
